// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaHost

/// Publishing with slow checks.
@Suite struct PublishRouteTests {
  /// Accepts what ``MarkCheck`` accepts; files that contain "slow" wait until they are released or no one
  /// waits for them.
  final class HeldCheck: FileChecking {
    private let state = Mutex<(isOpen: Bool, waiting: Int, left: Int)>((false, 0, 0))
    var waiting: Int { state.withLock { $0.waiting } }
    var left: Int { state.withLock { $0.left } }

    func open() { state.withLock { $0.isOpen = true } }

    func check(_ blob: any Blob) async throws(HostError) -> Result<ModelFacts, FileProblem> {
      var bytes = [UInt8](repeating: 0, count: Int(blob.size))
      // SAFETY: the blob writes at most the array's bytes.
      _ = try? unsafe bytes.withUnsafeMutableBytes { try unsafe blob.read(at: 0, into: $0) }
      guard String(decoding: bytes, as: UTF8.self).contains("slow") else {
        return try await MarkCheck().check(blob)
      }
      state.withLock { $0.waiting += 1 }
      while !state.withLock({ $0.isOpen }) {
        do { try await Task.sleep(for: .milliseconds(1)) } catch {
          state.withLock { $0.left += 1 }
          throw HostError(.cancelled, "gone", remedy: "")
        }
      }
      return try await MarkCheck().check(blob)
    }
  }

  private static let native = "/v1/host/projects/test-project"

  private static func publish(
    _ host: RunningHost, as role: HostKey.Role = .publisher, _ name: String, _ text: String,
    waits: Bool = false
  ) throws -> RunningHost.Answer {
    try host.send(
      as: role, "POST", "\(native)/models/\(name)/versions",
      headers: waits ? [:] : ["Prefer": "wait=1, respond-async"], body: markedModel(text))
  }

  private static func operation(_ answer: RunningHost.Answer) -> String? {
    answer.headers["location"]
  }

  @Test func `a publish becomes an operation that reports its progress`() async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      let first = try Self.publish(host, "birds", "slow one")
      let second = try Self.publish(host, "trees", "slow two")
      for answer in [first, second] {
        #expect(answer.status == 202 && answer.headers["retry-after"] == "1")
      }
      #expect(first.body.contains("\"state\": \"checking\"") && !first.body.contains("before"))
      #expect(second.body.contains("\"state\": \"waiting\", \"before\": 1"), "\(second.body)")
      let places = try [first, second].map { try #require(Self.operation($0)) }
      #expect(try host.send(as: .publisher, "GET", places[0]).status == 202)
      let google = try places.map { place in
        let id = try #require(place.split(separator: "/").last)
        return "/v1beta2/projects/test-project/operations/\(id)"
      }
      for target in google { #expect(try host.send(as: .viewer, "GET", target).status == 404) }
      check.open()
      for (place, name) in zip(places, ["birds", "trees"]) {
        var answer = try host.send(as: .publisher, "GET", place)
        blockUntil {
          answer = (try? host.send(as: .publisher, "GET", place)) ?? answer
          return answer.status != 202
        }
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.body.contains("\"model\": \"\(name)\"") && answer.body.contains("\"version\": 1"))
        #expect(answer.body.contains("\"channel\": \"stable\""))
      }
      // Google's route does not have the host's own operations.
      for target in google { #expect(try host.send(as: .viewer, "GET", target).status == 404) }
      // A caller that does not know operations waits, as before.
      #expect(try Self.publish(host, "birds", "slow three", waits: true).body.contains("\"version\": 2"))
      let unknown = "\(Self.native)/operations/0123456789abcdef"
      #expect(try host.send(as: .publisher, "GET", unknown).status == 404)
      #expect(try host.send(as: .publisher, "POST", unknown + ":cancel").status == 404)
      for (method, target) in [("GET", "none"), ("POST", "none:cancel"), ("GET", "0123456789abcdeg")] {
        let answer = try host.send(as: .publisher, method, "\(Self.native)/operations/\(target)")
        #expect(
          answer.status == 400 && answer.body.contains("16 lower-case hexadecimal digits"), "\(answer.body)"
        )
      }
    }
  }

  @Test func `a cancelled publish ends its check and has no version`() async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      let running = try #require(try Self.operation(Self.publish(host, "birds", "slow one")))
      let waiting = try #require(try Self.operation(Self.publish(host, "trees", "slow two")))
      let ofAdmin = try #require(try Self.operation(Self.publish(host, as: .admin, "nests", "slow three")))
      blockUntil { check.waiting == 2 }
      let refused = try host.send(as: .publisher, "POST", ofAdmin + ":cancel")
      #expect(refused.status == 403 && refused.body.contains("belongs to another key"), "\(refused.body)")
      for (role, place) in [(HostKey.Role.admin, waiting), (.publisher, running)] {
        let answer = try host.send(as: role, "POST", place + ":cancel")
        #expect(answer.status == 200 && answer.body.hasPrefix("{}"), "\(answer.body)")
        blockUntil { (try? host.send(as: .publisher, "GET", place).status) != 202 }
        let end = try host.send(as: .publisher, "GET", place)
        #expect(end.status == 409 && end.body.contains("\"code\": \"cancelled\""), "\(end.body)")
        #expect(end.body.contains("The publish was cancelled: nothing was published"), "\(end.body)")
        // Repeating it is not an error.
        #expect(try host.send(as: .publisher, "POST", place + ":cancel").status == 200)
      }
      #expect(check.left == 1 && check.waiting == 2)
      check.open()
      blockUntil { (try? host.send(as: .admin, "GET", ofAdmin).status) == 200 }
      // A finished one stays unchanged.
      #expect(try host.send(as: .admin, "POST", ofAdmin + ":cancel").status == 200)
      #expect(try host.send(as: .admin, "GET", ofAdmin).status == 200)
      for name in ["birds", "trees"] {
        #expect(try host.send(as: .viewer, "GET", "\(Self.native)/models/\(name)").status == 404)
      }
    }
  }

  @Test func `a publish that no one polls any more ends without a version`() async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      let awaited = try #require(try Self.operation(Self.publish(host, "birds", "slow one")))
      let running = try #require(
        try Self.operation(Self.publish(host, as: .admin, "nests", "slow two")))
      let waiting = try #require(try Self.operation(Self.publish(host, "trees", "slow three")))
      blockUntil { check.waiting == 2 }
      let operations = host.models.operations
      // Each was sent since the previous round.
      operations.cancelForgotten()
      for (role, place) in [(HostKey.Role.publisher, awaited), (.admin, running), (.publisher, waiting)] {
        #expect(try host.send(as: role, "GET", place).status == 202)
      }
      operations.cancelForgotten()
      #expect(try host.send(as: .publisher, "GET", awaited).status == 202)
      operations.cancelForgotten()
      for (role, place) in [(HostKey.Role.admin, running), (.publisher, waiting)] {
        blockUntil { (try? host.send(as: role, "GET", place).status) != 202 }
        let end = try host.send(as: role, "GET", place)
        #expect(end.status == 409 && end.body.contains("\"code\": \"cancelled\""), "\(end.body)")
      }
      #expect(check.left == 1)
      check.open()
      blockUntil { (try? host.send(as: .publisher, "GET", awaited).status) != 202 }
      #expect(try host.send(as: .publisher, "GET", awaited).status == 200)
      // A finished one stays unchanged.
      operations.cancelForgotten()
      operations.cancelForgotten()
      #expect(try host.send(as: .publisher, "GET", awaited).status == 200)
      for name in ["nests", "trees"] {
        #expect(try host.send(as: .viewer, "GET", "\(Self.native)/models/\(name)").status == 404)
      }
    }
  }

  @Test func `a sender that leaves before it knows its operation has no version`() async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      let body = Array(markedModel("slow").utf8)
      let connection = try RawConnection(port: host.port)
      connection.send(
        Array(
          ("POST \(Self.native)/models/birds/versions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            + "Authorization: Bearer \(host.tokens[.publisher] ?? "")\r\nPrefer: respond-async\r\n"
            + "Connection: close\r\nContent-Length: \(body.count)\r\n\r\n").utf8) + body)
      connection.endSending()
      _ = connection.readToEnd()
      // The check may not have started.
      blockUntil { check.waiting == check.left }
      #expect(check.waiting == check.left)
      check.open()
    }
  }

  /// Revokes the key of ``RunningHost``'s publisher.
  private static func revokePublisher(_ host: RunningHost) throws {
    let key = try #require(try HostKeys.accounts.get()[.publisher]?.keyID)
    let answer = try host.send(as: .admin, "DELETE", "\(native)/keys/\(key)")
    #expect(answer.status == 200, "\(answer.body)")
  }

  /// Creates a model by Google's API from a file that is uploaded first, whose check then waits.
  private static func createNests(_ host: RunningHost, as role: HostKey.Role) throws {
    #expect(try host.upload("nests.tflite", markedModel("slow")).status == 200)
    let uri = "gs://\(RunningHost.bucket)/nests.tflite"
    let created = try host.send(
      as: role, "POST", "/v1beta2/projects/test-project/models",
      body: #"{"displayName": "nests", "tfliteModel": {"gcsTfliteUri": "\#(uri)"}}"#)
    #expect(created.status == 200, "\(created.body)")
  }

  @Test(arguments: [
    "/v1/host/projects/test-project/models/birds/versions",
    "\(RunningHost.uploads)?uploadType=media&name=birds.tflite",
  ])
  func `a key revoked during its upload stores nothing`(_ target: String) async throws {
    try await RunningHost.run { host throws in
      let body = Array(markedModel("one").utf8)
      let connection = try RawConnection(port: host.port)
      connection.send(
        Array(
          ("POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            + "Authorization: Bearer \(host.tokens[.publisher] ?? "")\r\n"
            + "Connection: close\r\nContent-Length: \(body.count)\r\n\r\n").utf8) + body.dropLast(2))
      blockUntil { host.uploadsUnderWay == 1 }
      try Self.revokePublisher(host)
      connection.send(Array(body.suffix(2)))
      let answer = try RunningHost.Answer(connection.readToEnd())
      #expect(answer.status == 401 && answer.body.contains("was revoked, or has expired"), "\(answer.body)")
      #expect(host.models.catalogue.counts.models == 0)
      let object = "/storage/v1/b/\(RunningHost.bucket)/o/birds.tflite"
      #expect(try host.send(as: .admin, "GET", object).status == 404)
    }
  }

  @Test(arguments: [false, true])
  func `a key revoked while its files wait or are checked publishes none of them`(
    isKnown: Bool
  ) async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      if isKnown {
        let first = try Self.publish(host, as: .admin, "birds", "quick", waits: true)
        #expect(first.status == 200, "\(first.body)")
      }
      let running = try #require(try Self.operation(Self.publish(host, "birds", "slow one")))
      let waiting = try #require(try Self.operation(Self.publish(host, "trees", "slow two")))
      #expect(try host.upload("nests.tflite", markedModel("slow three")).status == 200)
      let created = try host.send(
        as: .publisher, "POST", "/v1beta2/projects/test-project/models",
        body:
          #"{"displayName": "nests", "tfliteModel": {"gcsTfliteUri": "gs://\#(RunningHost.bucket)/nests.tflite"}}"#
      )
      #expect(created.status == 200 && created.body.contains("\"done\": false"), "\(created.body)")
      blockUntil { check.waiting == 1 }
      try Self.revokePublisher(host)
      check.open()
      for place in [running, waiting] {
        blockUntil { (try? host.send(as: .admin, "GET", place).status) != 202 }
        let end = try host.send(as: .admin, "GET", place)
        #expect(end.status == 409 && end.body.contains("\"code\": \"unauthenticated\""), "\(end.body)")
      }
      let models = host.models
      blockUntil {
        models.catalogue.model(project: models.project, named: "nests")?.pendingOperations.isEmpty == true
      }
      let nests = try models.model("nests")
      #expect(nests.versions.isEmpty && nests.problem?.code == 16, "\(String(describing: nests.problem))")
      let refused = try host.send(
        as: .admin, "GET", "/v1beta2/projects/test-project/models/\(nests.id)")
      #expect(
        refused.body.contains("The key of the request was revoked, or has expired"), "\(refused.body)")
      let birds = models.catalogue.model(project: models.project, named: "birds")
      #expect(birds?.versions.count == (isKnown ? 1 : nil))
      #expect(models.catalogue.model(project: models.project, named: "trees") == nil)
      // The waiting ones are not checked at all.
      #expect(check.waiting == 1)
    }
  }

  /// Sends a file to the host's own route, and waits for the result.
  private static func connection(_ host: RunningHost, publishing text: String) throws -> RawConnection {
    let body = Array(markedModel(text).utf8)
    let connection = try RawConnection(port: host.port)
    connection.send(
      Array(
        ("POST \(native)/models/birds/versions HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
          + "Authorization: Bearer \(host.tokens[.publisher] ?? "")\r\nContent-Length: \(body.count)\r\n\r\n")
          .utf8) + body)
    return connection
  }

  /// The check never opens: only its end frees the place.
  @Test func `a key revoked while its file is checked ends the check at once`() async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      let waits = try Self.connection(host, publishing: "slow one")
      blockUntil { check.waiting == 1 }
      let second = try #require(try Self.operation(Self.publish(host, "trees", "slow two")))
      // Another key's check stays.
      let other = try #require(try Self.operation(Self.publish(host, as: .admin, "nests", "slow three")))
      blockUntil { check.waiting == 2 }
      try Self.revokePublisher(host)
      let refused = try RunningHost.Answer(waits.readToEnd())
      #expect(
        refused.status == 401 && refused.body.contains("was revoked, or has expired"), "\(refused.body)")
      blockUntil { (try? host.send(as: .admin, "GET", second).status) != 202 }
      let end = try host.send(as: .admin, "GET", second)
      #expect(end.status == 409 && end.body.contains("\"code\": \"unauthenticated\""), "\(end.body)")
      #expect(check.left == 1 && check.waiting == 2)
      #expect(try host.send(as: .admin, "GET", other).status == 202)
      check.open()
      blockUntil { (try? host.send(as: .admin, "GET", other).status) != 202 }
      #expect(try host.send(as: .admin, "GET", other).status == 200)
    }
  }

  @Test func `a key revoked while its model of Google's API is checked ends the check at once`() async throws
  {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      try Self.createNests(host, as: .publisher)
      blockUntil { check.waiting == 1 }
      try Self.revokePublisher(host)
      let models = host.models
      blockUntil {
        models.catalogue.model(project: models.project, named: "nests")?.pendingOperations.isEmpty == true
      }
      #expect(check.left == 1)
      let nests = try models.model("nests")
      #expect(nests.versions.isEmpty && nests.problem?.code == 16, "\(String(describing: nests.problem))")
    }
  }

  @Test func `a publish that waits has an answer before the host closes its connection`() async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      try Self.createNests(host, as: .admin)
      let waits = try Self.connection(host, publishing: "slow one")
      blockUntil { check.waiting == 2 }
      let second = try #require(try Self.operation(Self.publish(host, "trees", "slow two")))
      host.models.sent.stop()
      // Those that come later end as well.
      let answers = [
        try RunningHost.Answer(waits.readToEnd()), try Self.publish(host, "birds", "slow three", waits: true),
        try host.send(as: .publisher, "GET", second),
      ]
      for answer in answers {
        #expect(answer.status == 503 && answer.headers["retry-after"] == "5", "\(answer.body)")
        #expect(answer.body.contains("The host shuts down") && answer.body.contains("nothing was published"))
        #expect(answer.body.contains("Publish the file again once the host runs"), "\(answer.body)")
      }
      // The next start continues the check of a model that is already stored.
      let nests = try host.models.model("nests")
      #expect(check.left == 1 && nests.pendingOperations.count == 1)
      #expect(host.models.catalogue.counts.models == 1)
      check.open()
    }
  }

  @Test func `a file's fault is its operation's error`() async throws {
    try await RunningHost.run { host throws in
      let answer = try host.send(
        as: .publisher, "POST", "\(Self.native)/models/birds/versions",
        headers: ["Prefer": "respond-async"],
        body: "no model")
      #expect(answer.status == 400 && answer.body.contains("The file was refused: No mark"), "\(answer.body)")
    }
  }

  @Test func `endless files of one key keep no other key from publishing`() async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      for number in 0..<12 {
        #expect(try Self.publish(host, as: .publisher, "loop-\(number)", "slow \(number)").status == 202)
      }
      let other = try Self.publish(host, as: .admin, "birds", "quick", waits: true)
      #expect(other.status == 200 && check.waiting == 1, "\(other.body)")
      check.open()
    }
  }

  @Test func `the check of a caller that has left is dropped`() async throws {
    let check = HeldCheck()
    try await RunningHost.run(checker: check) { host throws in
      let body = Array(markedModel("slow").utf8)
      let connection = try RawConnection(port: host.port)
      connection.send(
        Array(
          ("POST \(Self.native)/models/birds/versions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            + "Authorization: Bearer \(host.tokens[.publisher] ?? "")\r\nContent-Length: \(body.count)\r\n\r\n")
            .utf8)
          + body)
      blockUntil { check.waiting == 1 }
      connection.endSending()
      blockUntil { check.left == 1 }
      #expect(check.left == 1)
      // Its place is free.
      #expect(try Self.publish(host, "birds", "quick", waits: true).body.contains("\"version\": 1"))
      check.open()
    }
  }
}
#endif
