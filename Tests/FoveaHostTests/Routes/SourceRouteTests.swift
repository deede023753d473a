// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// The allowed locations of a model's file, over the route; `SourceAddressTests` has more of the forms.
@Suite struct SourceRouteTests {
  private static let object = "/\(RunningHost.bucket)/Firebase/ML/Models/a.tflite"
  private static let models = "/v1beta2/projects/test-project/models"

  /// A URL signed by the host's admin, at 08:00:00 by the host's clock.
  private static func signed(
    date: String = "20270115T080000Z", path: String = object, key: String? = nil, host: String = "127.0.0.1"
  ) throws -> (path: String, query: String) {
    let account = try #require(try RunningHost.accounts.get()[.admin])
    return try SignedCase(
      id: "", path: path,
      items: [
        "X-Goog-Date": date,
        "X-Goog-Credential": "\(account.email)/\(date.prefix(8))/auto/storage/goog4_request",
      ], host: host, key: key ?? account.privateKey
    ).target()
  }

  private static func create(_ host: RunningHost, _ address: String) throws -> RunningHost.Answer {
    try host.send(
      as: .publisher, "POST", models,
      body: #"{"displayName": "m", "tfliteModel": {"gcsTfliteUri": "\#(address)"}}"#)
  }

  @Test func `a URL signed by anyone else is rejected, and no one is asked`() async throws {
    let other = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    let port = other.url.split(separator: ":").last.map { String($0.prefix { $0 != "/" }) } ?? ""
    let good = try Self.signed()
    let table: [(address: String, code: Int, words: String)] = [
      ("http://169.254.169.254/latest/meta-data", 3, "gs://BUCKET/NAME"),
      ("file:///etc/passwd", 3, "gs://"),
      ("http://127.0.0.1:\(port)/a?\(good.query)", 3, "gs://BUCKET/NAME"),
      ("http://localhost:\(port)/a", 3, "gs://BUCKET/NAME"),
      ("http://user@127.0.0.1\(good.path)?\(good.query)", 3, "gs://BUCKET/NAME"),
      ("http://127.0.0.1@127.0.0.1:\(port)/a?\(good.query)", 3, "gs://BUCKET/NAME"),
      ("http://2130706433\(good.path)?\(good.query)", 3, "gs://BUCKET/NAME"),
      ("http://0x7f000001\(good.path)?\(good.query)", 3, "gs://BUCKET/NAME"),
      ("http://[::1]\(good.path)?\(good.query)", 3, "gs://BUCKET/NAME"),
      ("http://127.0.0.1\(good.path)?\(good.query)#x", 3, "gs://BUCKET/NAME"),
      ("https://127.0.0.1\(good.path)?\(good.query)", 3, "gs://BUCKET/NAME"),
      ("http://127.0.0.1.example/a?\(good.query)", 3, "gs://BUCKET/NAME"),
      ("http://127.0.0.1/redirect?to=http://127.0.0.1:\(port)/a", 7, "not signed by a key"),
      ("http://127.0.0.1\(good.path)", 3, "gs://BUCKET/NAME"),
      ("gs://other/../x", 3, "name of the object"), ("gs://UPPER/x", 3, "name of the bucket"),
      ("gs://another-bucket/a", 5, "gs://another-bucket/a was not found"),
      ("gs://\(RunningHost.bucket)/none", 5, "none was not found"),
      ("", 3, "gs://BUCKET/NAME"), (String(repeating: "a", count: 5_000), 3, "gs://BUCKET/NAME"),
    ]
    try await RunningHost.run { host throws in
      for row in table {
        let answer = try Self.create(host, row.address)
        #expect(
          answer.status == 200 && answer.body.contains("\"code\": \(row.code)"), "\(row): \(answer.body)")
        #expect(answer.body.contains(row.words), "\(row): \(answer.body)")
        #expect(!answer.body.contains(host.folder.path))
      }
      #expect(host.models.catalogue.counts.models == 0)
      let uploaded = try host.upload("Firebase/ML/Models/a.tflite", UploadTests.model)
      #expect(uploaded.status == 200)
      let made = try Self.create(host, "http://127.0.0.1\(good.path)?\(good.query)")
      #expect(made.body.contains(#""gcsTfliteUri": "gs:/\#(Self.object)""#), "\(made.body)")
    }
    #expect(other.connections == 0)
  }

  @Test(
    arguments: [
      ("20270115T080000Z", nil, nil, 200), ("20270115T075001Z", nil, nil, 200),
      ("20270115T075000Z", nil, nil, 400), ("20260115T080000Z", nil, nil, 400),
      ("20270115T081500Z", nil, nil, 200), ("20270115T081501Z", nil, nil, 403),
      ("20280115T080000Z", nil, nil, 403), ("20270115T080000Z", TestKeys.second, nil, 403),
      ("20270115T080000Z", nil, "127.0.0.1:8081", 403),
    ] as [(String, String?, String?, Int)])
  func `a signed URL works from 15 minutes before its time until it expires`(
    date: String, key: String?, name: String?, status: Int
  ) async throws {
    let signed = try Self.signed(date: date, key: key, host: name ?? "127.0.0.1")
    try await RunningHost.run { host throws in
      let uploaded = try host.upload("Firebase/ML/Models/a.tflite", UploadTests.model)
      #expect(uploaded.status == 200)
      let read = try host.send("GET", "\(signed.path)?\(signed.query)")
      #expect(read.status == status, "\(read.body)")
      #expect((read.body == UploadTests.model) == (status == 200))
      let made = try Self.create(host, "http://127.0.0.1\(signed.path)?\(signed.query)")
      #expect(made.body.contains("modelHash") == (status == 200), "\(made.body)")
      // The same signature for another object.
      let other = try host.upload("Firebase/ML/Models/b.tflite", UploadTests.model)
      #expect(other.status == 200)
      let path = signed.path.replacing("a.tflite", with: "b.tflite")
      #expect(try host.send("GET", "\(path)?\(signed.query)").status == 403)
    }
  }
}
#endif
