// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaHTTP
  import FoveaHost
  import FoveaTesting
  import Testing

  /// Bodies of devices that are compressed, as Android's client sends those of installations.
  @Suite struct CompressedBodyTests {
    private static let key = "key=\(RunningHost.appKey)"

    /// A route with a body that it takes, and what its answer then has.
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

    @Test(arguments: rows) func `each route of devices takes gzip`(_ row: Row) async throws {
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

    @Test(arguments: rows) func `what unpacks to more than a route takes, or is no gzip, is refused`(
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
