// SPDX-License-Identifier: Apache-2.0
#if Server
import CryptoExtras
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

/// URLs signed by a service key, used as they were signed.
@Suite struct SignedObjectRouteTests {
  private static let path = "/\(RunningHost.bucket)/Firebase/ML/Models/a.tflite"
  private static let model = UploadTests.model

  /// A V4 URL for a method and headers, signed by the key of a role.
  private static func address(
    _ method: String, _ headers: [String: String] = [:], as role: HostKey.Role = .publisher,
    payload: String? = nil, parameters: [String: String] = [:]
  ) throws -> String {
    let account = try #require(try RunningHost.accounts.get()[role])
    let lines = headers.merging(["host": "127.0.0.1"]) { $1 }.sorted { $0.key < $1.key }
    let names = lines.map(\.key).joined(separator: ";")
    var items = [
      "X-Goog-Algorithm": "GOOG4-RSA-SHA256", "X-Goog-Date": "20270115T080000Z", "X-Goog-Expires": "600",
      "X-Goog-Credential": "\(account.email)/20270115/auto/storage/goog4_request",
      "X-Goog-SignedHeaders": names,
    ]
    items.merge(parameters) { $1 }
    let query = items.sorted { $0.key < $1.key }.map { "\($0.key)=\(PercentText.encode($0.value))" }
      .joined(separator: "&")
    let request =
      "\(method)\n\(path)\n\(query)\n" + lines.map { "\($0.key):\($0.value)\n" }.joined()
      + "\n\(names)\n\(payload ?? "UNSIGNED-PAYLOAD")"
    let text =
      "GOOG4-RSA-SHA256\n20270115T080000Z\n20270115/auto/storage/goog4_request\n\(AppKey.digest(of: request))"
    return "\(path)?\(query)&X-Goog-Signature=\(Hexadecimal.encode(try sign(text, account)))"
  }

  /// A V2 URL; `signed` are the parameters that its signature covers, as a form codes them.
  private static func former(
    _ method: String, expires: Int, _ lines: [String] = ["", ""], signed: String = ""
  ) throws -> String {
    let account = try #require(try RunningHost.accounts.get()[.publisher])
    var parts = [method] + lines.prefix(2)
    parts += [String(expires)]
    parts += lines.dropFirst(2)
    let text = (parts + [path + signed]).joined(separator: "\n")
    let signature = PercentText.encode(Base64.encode(try sign(text, account)))
    return
      "\(path)?Expires=\(expires)&GoogleAccessId=\(PercentText.encode(account.email))&Signature=\(signature)"
  }

  private static func sign(_ text: String, _ account: ServiceAccount) throws -> [UInt8] {
    let key = try _RSA.Signing.PrivateKey(pemRepresentation: account.privateKey)
    return Array(try key.signature(for: Array(text.utf8), padding: .insecurePKCS1v1_5).rawRepresentation)
  }

  @Test func `an object is written, read and deleted by URLs signed for it`() async throws {
    try await RunningHost.run { host throws in
      let headers = ["content-type": "application/octet-stream"]
      let put = try Self.address("PUT", headers)
      let made = try host.send("PUT", put, headers: headers, body: Array(Self.model.utf8))
      #expect(made.status == 200 && made.headers["x-goog-generation"] != nil, "\(made.body)")
      let get = try Self.address("GET")
      let read = try host.send("GET", get)
      #expect(
        read.body == Self.model && read.headers["x-goog-generation"] == made.headers["x-goog-generation"])
      let head = try host.send("HEAD", Self.address("HEAD"))
      #expect(head.status == 200 && head.headers["content-length"] == String(Self.model.utf8.count))
      // One is valid for its own method, with the signed headers.
      for (method, address, headers) in [
        ("PUT", get, [:]), ("DELETE", get, [:]), ("HEAD", get, [:]), ("GET", put, headers),
        ("PUT", put, [:]),
        ("PUT", put, ["content-type": "text/html"]), ("POST", get, [:]),
      ] as [(String, String, [String: String])] {
        let refused = try host.send(method, address, headers: headers, body: method == "PUT" ? [1] : [])
        #expect([403, 404, 405].contains(refused.status), "\(method) \(headers): \(refused.status)")
      }
      #expect(try host.send("GET", get).body == Self.model)
      #expect(try host.send("DELETE", Self.address("DELETE")).status == 204)
      #expect(try host.send("GET", get).status == 404)
    }
  }

  @Test func `methods that no signed URL has are refused with those that one can have`() async throws {
    try await RunningHost.run { host throws in
      for method in ["POST", "PATCH", "OPTIONS"] {
        for path in [Self.path, try Self.address(method)] {
          let answer = try host.send(method, path)
          #expect(answer.status == 405, "\(method) \(path): \(answer.body)")
          #expect(answer.headers["allow"] == "DELETE, GET, HEAD, PUT", "\(method) \(path)")
          #expect(answer.body.contains("This route does not support \(method)"), "\(answer.body)")
        }
      }
      // A path outside the bucket, the bucket itself, and a path without a signature have no route.
      for (method, path) in [
        ("POST", "/other-bucket/a.tflite"), ("POST", "/" + RunningHost.bucket), ("GET", Self.path),
        ("HEAD", Self.path), ("PUT", Self.path), ("DELETE", Self.path),
      ] {
        let answer = try host.send(method, path)
        #expect(answer.status == 404 && answer.headers["allow"] == nil, "\(method) \(path): \(answer.body)")
      }
    }
  }

  @Test func `a URL for writing needs a writing key, and keeps preconditions and checksums`() async throws {
    try await RunningHost.run { host throws in
      let viewer = try host.send("PUT", Self.address("PUT", as: .viewer), body: Array(Self.model.utf8))
      #expect(viewer.status == 403)
      let once = ["x-goog-if-generation-match": "0"]
      let put = try Self.address("PUT", once)
      #expect(try host.send("PUT", put, headers: once, body: Array(Self.model.utf8)).status == 200)
      #expect(try host.send("PUT", put, headers: once, body: Array("other".utf8)).status == 412)
      #expect(try host.send("PUT", put, body: Array("other".utf8)).status == 403)
      let digest = AppKey.digest(of: Self.model)
      let exact = ["x-goog-content-sha256": digest]
      let sealed = try Self.address("PUT", exact, payload: digest)
      #expect(try host.send("PUT", sealed, headers: exact, body: Array("other".utf8)).status == 400)
      #expect(try host.send("PUT", sealed, headers: exact, body: Array(Self.model.utf8)).status == 200)
      for (headers, reason) in [
        (["content-md5": "AAAAAAAAAAAAAAAAAAAAAA=="], "The bytes have the md5"),
        (["x-goog-hash": "md5=AAAAAAAAAAAAAAAAAAAAAA=="], "The bytes have the md5"),
        (["x-goog-hash": "crc32c=AAAAAA=="], "The bytes have the crc32c"),
        (["x-goog-object-lock-mode": "COMPLIANCE"], "The upload has 'x-goog-object-lock-mode'"),
      ] {
        let refused = try host.send(
          "PUT", Self.address("PUT", headers), headers: headers, body: Array(Self.model.utf8))
        #expect(refused.status == 400 && refused.body.contains(reason), "\(headers): \(refused.body)")
      }
      let right = ["content-md5": RunningHost.md5(Self.model)]
      let made = try host.send(
        "PUT", Self.address("PUT", right), headers: right, body: Array(Self.model.utf8))
      let sums = "crc32c=\(RunningHost.checksum(Self.model)),md5=\(RunningHost.md5(Self.model))"
      #expect(made.status == 200 && made.headers["x-goog-hash"] == sums, "\(made.body)")
      #expect(host.uploadsUnderWay == 0)
      #expect(try host.send("GET", Self.address("GET")).body == Self.model)
    }
  }

  /// Parameters of a signed URL, and the answer.
  struct ParameterRow: Sendable, CustomTestStringConvertible {
    let parameters: [String: String]
    var method = "GET"
    /// A part of the refusal; nil for an answer with these headers.
    var refusal: String?
    var type = "application/octet-stream"
    var disposition: String?

    var testDescription: String { "\(method) \(parameters)" }

    /// The parameters as Google's client codes them in a V2 URL.
    var form: String {
      parameters.sorted { $0.key < $1.key }.map {
        "\($0.key)=\(PercentText.encode($0.value).replacing("%20", with: "+"))"
      }.joined(separator: "&")
    }
  }

  static let parameterRows: [ParameterRow] = [
    ParameterRow(
      parameters: ["response-content-disposition": "attachment; filename=x y.bin"],
      disposition: "attachment; filename=x y.bin"),
    ParameterRow(
      parameters: ["response-content-type": "text/html", "response-content-disposition": "inline"],
      type: "text/html", disposition: "inline"),
    ParameterRow(
      parameters: ["response-content-type": "text/plain"], method: "HEAD", type: "text/plain"),
    ParameterRow(parameters: ["response-content-type": ""]),
    ParameterRow(parameters: ["userproject": "billed-project"]),
    ParameterRow(
      parameters: ["response-content-type": "a\r\nSet-Cookie: b"],
      refusal: "'response-content-type', whose value has a control character"),
    ParameterRow(
      parameters: ["response-content-disposition": "a\u{0}b"],
      refusal: "'response-content-disposition', whose value has a control character"),
    ParameterRow(
      parameters: ["response-cache-control": "no-cache"],
      refusal: "'response-cache-control', which the host does not support"),
    ParameterRow(
      parameters: ["response-content-type": "text/html"], method: "DELETE",
      refusal: "'response-content-type', which applies only to GET and HEAD"),
  ]

  @Test func `Google's parameters of a response are honoured, others refused by name`() async throws {
    try await RunningHost.run { host throws in
      let made = try host.send("PUT", Self.address("PUT"), body: Array(Self.model.utf8))
      #expect(made.status == 200)
      let end = Int(host.models.now().milliseconds / 1000) + 60
      for row in Self.parameterRows {
        for address in [
          try Self.address(row.method, parameters: row.parameters),
          // Google's client signs the parameters of a V2 URL only from `query_parameters`.
          try Self.former(row.method, expires: end) + "&" + row.form,
          try Self.former(row.method, expires: end, signed: "?" + row.form) + "&" + row.form,
        ] {
          let answer = try host.send(row.method, address)
          guard let refusal = row.refusal else {
            #expect(answer.status == 200, "\(row): \(answer.body)")
            #expect(answer.headers["content-type"] == row.type)
            #expect(answer.headers["content-disposition"] == row.disposition)
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            let isOther = row.type != "application/octet-stream"
            #expect((answer.headers["content-security-policy"]?.contains("sandbox") ?? false) == isOther)
            continue
          }
          #expect(answer.status == 400 && answer.body.contains(refusal), "\(row): \(answer.body)")
        }
      }
      // Ranges have them too; the signature of a V4 URL covers them.
      let type = try Self.address("GET", parameters: ["response-content-type": "text/plain"])
      let part = try host.send("GET", type, headers: ["Range": "bytes=0-1"])
      #expect(part.status == 206 && part.headers["content-type"] == "text/plain")
      #expect(try host.send("GET", type.replacing("text%2Fplain", with: "text%2Fhtml")).status == 403)
      // One signed with and one without: V2.
      let mixed = try Self.former("GET", expires: end, signed: "?userproject=a")
      let both = try host.send("GET", mixed + "&userproject=a&response-content-type=text%2Fplain")
      #expect(both.status == 200 && both.headers["content-type"] == "text/plain", "\(both.body)")
      #expect(try host.send("GET", mixed + "&userproject=b").status == 403)
    }
  }

  @Test func `V2 URLs are accepted until they expire`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host throws in
      let end = Int(clock.now().milliseconds / 1000) + 60
      let headers = ["Content-Type": "text/plain", "x-goog-if-generation-match": "0"]
      let put = try Self.former("PUT", expires: end, ["", "text/plain", "x-goog-if-generation-match:0"])
      #expect(try host.send("PUT", put, body: Array(Self.model.utf8)).status == 403)
      #expect(try host.send("PUT", put, headers: headers, body: Array(Self.model.utf8)).status == 200)
      let get = try Self.former("GET", expires: end)
      #expect(try host.send("GET", get).body == Self.model)
      #expect(
        try host.send("GET", get.replacing("Expires=\(end)", with: "Expires=\(end + 1)")).status == 403)
      #expect(try host.send("GET", get + "&a=b").body.contains("'a', which the host does not support"))
      clock.advance(seconds: 60)
      #expect(try host.send("GET", get).status == 400)
    }
  }
}
#endif
