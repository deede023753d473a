// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

/// Compressed bodies from devices, as Android's client sends those of installations.
@Suite struct CompressedBodyTests {
  private static let key = "key=\(RunningHost.appKey)"

  /// A route with a body that it accepts, and a part of its response.
  struct Row: Sendable, CustomTestStringConvertible {
    let target: String
    let body: String
    let words: String
    var testDescription: String { target }
  }

  static let rows: [Row] = [
    Row(
      target: "/v1/projects/test-project/installations?\(key)", body: #"{"fid": "device-1"}"#,
      words: "refreshToken"),
    Row(
      target: "/v1/host/projects/test-project/reports?\(key)",
      body: #"{"model": "birds", "version": "1", "outcome": "loaded"}"#, words: "{}"),
    Row(
      target: "/v1/projects/test-project/events:batch?\(key)", body: #"{"events": []}"#, words: "counted"),
    Row(target: ConfigRouteTests.fetch, body: #"{"appId": "a"}"#, words: "state"),
  ]

  @Test(arguments: rows) func `each route for devices accepts gzip`(_ row: Row) async throws {
    try await RunningHost.run { host throws in
      let versions = "/v1/host/projects/test-project/models/birds/versions"
      #expect(try host.send(as: .publisher, "POST", versions, body: UploadTests.model).status == 200)
      let plain = try host.send("POST", row.target, body: Array(row.body.utf8))
      #expect(plain.status == 200 && plain.body.contains(row.words), "\(plain.body)")
      let packed = try #require(GzipAnswer.compressed(Array(row.body.utf8)))
      for coding in ["gzip", "GZIP"] {
        let answer = try host.send("POST", row.target, headers: ["Content-Encoding": coding], body: packed)
        #expect(answer.status == 200 && answer.body.contains(row.words), "\(answer.body)")
      }
    }
  }

  /// Routes whose body is a file, stored unchanged.
  static let fileRoutes = [
    "POST /v1/host/projects/test-project/models/birds/versions",
    "POST \(RunningHost.uploads)?uploadType=media&name=a", "PUT /resumable",
  ]

  @Test(arguments: fileRoutes, ["gzip", "deflate", "br", "GZIP"])
  func `a compressed file is rejected, and not kept`(_ route: String, _ coding: String)
    async throws
  {
    try await RunningHost.run { host throws in
      let parts = route.split(separator: " ").map { String($0) }
      let target = try parts[1] == "/resumable" ? host.begin("a") : parts[1]
      let bytes = try #require(GzipAnswer.compressed(Array(UploadTests.model.utf8)))
      var headers = [
        "Authorization": "Bearer \(host.tokens[.publisher] ?? "")", "Content-Encoding": coding,
      ]
      let answer = try host.send(parts[0], target, headers: headers, body: bytes)
      // Google's clients do not know 415.
      #expect(answer.status == (target.hasPrefix("/v1/host") ? 415 : 400), "\(answer.body)")
      #expect(answer.body.contains("Content-Encoding is '\(coding)', but files must be sent uncompressed"))
      #expect(answer.headers["accept-encoding"] == "identity")
      #expect(try host.storedFiles.isEmpty)
      // The same without a coding, or with the identity coding.
      headers["Content-Encoding"] = "identity"
      let whole = try host.send(parts[0], target, headers: headers, body: Array(UploadTests.model.utf8))
      #expect(whole.status == 200, "\(whole.body)")
    }
  }

  @Test func `a template may be compressed`() async throws {
    try await RunningHost.run { host throws in
      let packed = try #require(GzipAnswer.compressed(Array(#"{"parameters": {}}"#.utf8)))
      for path in [
        "/v1/host/projects/test-project/config/firebase", "/v1/projects/test-project/remoteConfig",
      ] {
        let answer = try host.send(
          "PUT", path,
          headers: [
            "Authorization": "Bearer \(host.tokens[.publisher] ?? "")", "If-Match": "*",
            "Content-Encoding": "gzip",
          ], body: packed)
        #expect(answer.status == 200, "\(answer.body)")
      }
    }
  }

  @Test func `a multipart upload may be compressed within its limit`() async throws {
    try await RunningHost.run { host throws in
      let body = "--b\r\n\r\n{\"name\": \"a\"}\r\n--b\r\n\r\n\(UploadTests.model)\r\n--b--"
      let packed = try #require(GzipAnswer.compressed(Array(body.utf8)))
      let bomb = try #require(GzipAnswer.compressed([UInt8](repeating: 0x20, count: 17 << 20)))
      for (bytes, status) in [(packed, 200), (Array(packed.dropLast(4)), 400), (bomb, 413)] {
        let answer = try host.send(
          "POST", "\(RunningHost.uploads)?uploadType=multipart",
          headers: [
            "Authorization": "Bearer \(host.tokens[.publisher] ?? "")", "Content-Encoding": "gzip",
            "Content-Type": "multipart/related; boundary=b",
          ], body: bytes)
        #expect(answer.status == status, "\(answer.body)")
        #expect(status != 200 || answer.body.contains(RunningHost.checksum(UploadTests.model)))
      }
    }
  }

  @Test(arguments: rows) func `a body that unpacks to more than the limit, or is not gzip, is rejected`(
    _ row: Row
  ) async throws {
    try await RunningHost.run { host throws in
      let bomb = try #require(GzipAnswer.compressed([UInt8](repeating: 0x20, count: 8 << 20)))
      let packed = try #require(GzipAnswer.compressed(Array(row.body.utf8)))
      for (coding, body) in [
        ("gzip", bomb), ("gzip", Array(packed.dropLast(4))), ("gzip", packed + [0]), ("br", packed),
      ] {
        let answer = try host.send("POST", row.target, headers: ["Content-Encoding": coding], body: body)
        #expect((400..<500).contains(answer.status), "\(coding) \(body.count): \(answer.status)")
      }
      #expect(try host.send("GET", "/readyz").status == 200)
    }
  }
}
#endif
