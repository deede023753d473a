// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Synchronization
import Testing

/// Google's clients repeat a request up to four times after no reply or a 503.
@Suite struct RepeatedCreateTests {
  private static let models = "/v1beta2/projects/test-project/models"

  private static func body(_ name: String, tags: String = "[]", object: String = "a") -> String {
    #"{"displayName": "\#(name)", "tags": \#(tags), "#
      + #""tfliteModel": {"gcsTfliteUri": "gs://\#(RunningHost.bucket)/\#(object)"}}"#
  }

  private static func create(_ host: RunningHost, _ body: String) throws -> RunningHost.Answer {
    try host.send(as: .publisher, "POST", models, body: body)
  }

  private static func id(_ answer: RunningHost.Answer) -> Substring {
    guard let start = answer.body.firstRange(of: "\(models.dropFirst("/v1beta2/".count))/")?.upperBound
    else {
      return ""
    }
    return answer.body[start...].prefix { $0 != "\"" }
  }

  /// Holds each check until it is released.
  final class SlowCheck: FileChecking {
    let isOpen = Mutex(false)
    func check(_ blob: any Blob) async throws(HostError) -> Result<ModelFacts, FileProblem> {
      while !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) }
      return try await MarkCheck().check(blob)
    }
  }

  @Test(arguments: [UploadTests.model, "no model"])
  func `five requests whose replies are lost create one model`(file: String) async throws {
    try await RunningHost.run { host throws in
      #expect(try host.upload("a", file).status == 200)
      let body = Self.body("birds")
      for _ in 0..<4 {
        _ = try host.sendRaw(
          [
            "POST \(Self.models) HTTP/1.1", "Authorization: Bearer \(host.tokens[.publisher] ?? "")",
            "Content-Length: \(body.utf8.count)",
          ], body: Array(body.utf8), closes: true)
      }
      let answer = try Self.create(host, body)
      #expect(answer.status == 200 && !answer.body.contains("already exists"), "\(answer.body)")
      #expect(host.models.catalogue.counts.models == 1)
      #expect(try Self.id(answer) == host.models.model("birds").id)
      blockUntil { (try? host.models.model("birds").pendingOperations.isEmpty) == true }
      let audit = try host.send(
        as: .viewer, "GET", "/v1/host/projects/test-project/models/birds/history")
      #expect(audit.body.ranges(of: "model.create").count == 1, "\(audit.body)")
      #expect(try Self.create(host, body).body.contains("already exists") == false)
      #expect(host.models.catalogue.counts.versions == (file == UploadTests.model ? 1 : 0))
    }
  }

  @Test func `five at once, while the file is still checked, create one model`() async throws {
    let check = SlowCheck()
    try await RunningHost.run(checker: check) { host throws in
      #expect(try host.upload("a", UploadTests.model).status == 200)
      let body = Self.body("birds")
      let connections = try (0..<5).map { _ in
        let connection = try RawConnection(port: host.port)
        connection.send(
          "POST \(Self.models) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer "
            + "\(host.tokens[.publisher] ?? "")\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return connection
      }
      blockUntil { host.models.catalogue.counts.models == 1 }
      check.isOpen.withLock { $0 = true }
      let id = try host.models.model("birds").id
      for connection in connections {
        #expect(try Self.id(RunningHost.Answer(connection.readToEnd())) == id)
      }
      #expect(host.models.catalogue.counts.models == 1)
    }
  }

  @Test(
    arguments: [
      (body("birds", tags: "[\"x\"]"), 0.0), (body("birds", object: "b"), 0), (body("birds"), 61),
      (#"{"displayName": "birds"}"#, 0),
    ] as [(String, Double)])
  func `another request for the same name reports that the model exists`(body: String, later: Double)
    async throws
  {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host throws in
      #expect(try host.upload("a", UploadTests.model).status == 200)
      #expect(try host.upload("b", UploadTests.model + "b").status == 200)
      #expect(try Self.create(host, Self.body("birds")).body.contains("modelHash"))
      clock.advance(seconds: later)
      #expect(try Self.create(host, body).body.contains("Model 'birds' already exists"))
      #expect(host.models.catalogue.counts.models == 1)
    }
  }

  @Test(arguments: [#""name": "projects/test-project/models/1""#, #""etag": "1-1""#])
  func `an object sent back by a client creates a model only under another name`(_ member: String)
    async throws
  {
    try await RunningHost.run { host throws in
      #expect(try host.upload("a", UploadTests.model).status == 200)
      #expect(try Self.create(host, Self.body("birds")).body.contains("modelHash"))
      // As Google's Admin SDK sends the object it received.
      let again = "{\(member), " + Self.body("birds").dropFirst()
      #expect(try Self.create(host, again).body.contains("Model 'birds' already exists"))
      let other = "{\(member), " + Self.body("herons").dropFirst()
      #expect(try Self.create(host, other).body.contains("modelHash"))
    }
  }

  @Test func `the same bytes uploaded again are another upload`() async throws {
    try await RunningHost.run { host throws in
      #expect(try host.upload("a", UploadTests.model).status == 200)
      #expect(try Self.create(host, Self.body("birds")).body.contains("modelHash"))
      #expect(try !Self.create(host, Self.body("birds")).body.contains("already exists"))
      #expect(try host.upload("a", UploadTests.model).status == 200)
      #expect(try Self.create(host, Self.body("birds")).body.contains("Model 'birds' already exists"))
    }
  }

  @Test func `a create that meets a locked database is answered with 503, and works when repeated`()
    async throws
  {
    try await RunningHost.run { host throws in
      #expect(try host.upload("a", UploadTests.model).status == 200)
      let lock = try DatabaseLock(host.folder["host.sqlite"])
      let refused = try Self.create(host, Self.body("birds"))
      #expect(refused.status == 503 && refused.headers["retry-after"] != nil, "\(refused.body)")
      #expect(host.models.catalogue.counts.models == 0)
      try lock.release()
      #expect(try Self.create(host, Self.body("birds")).body.contains("modelHash"))
    }
  }
}
#endif
