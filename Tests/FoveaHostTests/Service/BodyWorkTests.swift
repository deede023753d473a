// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

/// Long bodies, which are read in turn.
@Suite struct BodyWorkTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let method: String
    let target: String
    var headers: [String: String] = [:]
    var body = "{}"
    /// The status of the response once the body has been read.
    var status = 200

    /// Sends the body with as many blanks at its end.
    func send(
      to host: RunningHost, as role: HostKey.Role, blanks: Int
    ) async throws -> RunningHost.Answer {
      try await onOwnThread {
        try host.send(
          as: role, method, target, headers: headers, body: body + String(repeating: " ", count: blanks))
      }
    }
  }

  private static let host = "/v1/host/projects/test-project"
  private static let template = ConfigRouteTests.template("m1")

  static let rows = [
    Row(
      testDescription: "a template", method: "PUT", target: ConfigRouteTests.path,
      headers: ["If-Match": "*"], body: template),
    Row(
      testDescription: "a template that is only checked", method: "PUT",
      target: ConfigRouteTests.path + "?validateOnly=true", headers: ["If-Match": "*"], body: template),
    Row(
      testDescription: "a template of the host's own route", method: "PUT", target: ConfigRouteTests.native,
      headers: ["If-Match": "*"], body: template),
    Row(
      testDescription: "an experiment", method: "POST", target: "\(host)/experiments", body: "[]",
      status: 400),
    Row(
      testDescription: "a model of Google's API", method: "POST",
      target: "/v1beta2/projects/test-project/models", body: "[]", status: 400),
    Row(
      testDescription: "the metadata of an upload", method: "POST",
      target: "\(RunningHost.uploads)?uploadType=resumable", body: #"{"name": "one"}"#),
  ]

  /// Fills the share of a caller with work that waits for the gate.
  private static func fill(
    _ queue: TurnQueue, _ gate: TurnQueueTests.Gate, _ ids: [String], of caller: String
  ) async throws -> [Task<Void, any Error>] {
    let tasks = ids.map { id in
      Task {
        try await queue.run(id, of: caller) { () async throws(HostError) -> Void in try await gate.check(id) }
      }
    }
    try await waitUntil("the caller has its share") {
      ids.allSatisfy { queue.before($0) != nil || gate.begun.contains($0) }
    }
    return tasks
  }

  @Test(arguments: rows)
  func `a caller with many long bodies delays no other, and no short body`(row: Row) async throws {
    try await RunningHost.serving { host in
      let (queue, gate) = (host.models.bodies.turns, TurnQueueTests.Gate())
      let admin = try await host.service.authority.identity(bearer: host.tokens[.admin] ?? "")
      let ids = (0..<TurnQueue.Limits().ofKey).map(String.init)
      let tasks = try await Self.fill(queue, gate, ids, of: admin.name)
      defer { for task in tasks { task.cancel() } }
      let refused = try await row.send(to: host, as: .admin, blanks: BodyWork.short)
      #expect(refused.status == 429 && refused.headers["retry-after"] != nil, "\(refused.body)")
      #expect(refused.body.contains("64 long requests of this caller are waiting"), "\(refused.body)")
      let other = try await row.send(to: host, as: .publisher, blanks: BodyWork.short)
      #expect(other.status == row.status, "\(other.body)")
      for id in ids { gate.open(id) }
      for task in tasks { try await task.value }
      let served = try await row.send(to: host, as: .admin, blanks: BodyWork.short)
      #expect(served.status == row.status, "\(served.body)")
    }
  }

  @Test(arguments: ["models", "experiments"])
  func `a list is written in turn, since it may be long`(list: String) async throws {
    try await RunningHost.serving { host in
      let (queue, gate) = (host.models.bodies.turns, TurnQueueTests.Gate())
      let admin = try await host.service.authority.identity(bearer: host.tokens[.admin] ?? "")
      let ids = (0..<TurnQueue.Limits().ofKey).map(String.init)
      let tasks = try await Self.fill(queue, gate, ids, of: admin.name)
      defer { for task in tasks { task.cancel() } }
      let status: @Sendable (HostKey.Role) async throws -> Int = { role in
        try await onOwnThread {
          try host.send(as: role, "GET", "/v1/host/projects/test-project/\(list)").status
        }
      }
      #expect(try await status(.admin) == 429)
      #expect(try await status(.viewer) == 200)
      for id in ids { gate.open(id) }
      for task in tasks { try await task.value }
      #expect(try await status(.admin) == 200)
    }
  }

  @Test func `a small compressed body is read in turn, since it may be long`() async throws {
    try await RunningHost.serving { host in
      let (queue, gate) = (host.models.bodies.turns, TurnQueueTests.Gate())
      let admin = try await host.service.authority.identity(bearer: host.tokens[.admin] ?? "")
      let ids = (0..<TurnQueue.Limits().ofKey).map(String.init)
      let tasks = try await Self.fill(queue, gate, ids, of: admin.name)
      defer { for task in tasks { task.cancel() } }
      let headers = ["Authorization": "Bearer \(host.tokens[.admin] ?? "")", "If-Match": "*"]
      let text = Array(Self.template.utf8)
      let zipped = try #require(GzipAnswer.compressed(text))
      let publish: @Sendable ([UInt8], [String: String]) async throws -> Int = { body, more in
        try await onOwnThread {
          let target = ConfigRouteTests.path + "?validateOnly=true"
          return try host.send(
            "PUT", target, headers: headers.merging(more) { $1 }, body: body
          ).status
        }
      }
      #expect(try await publish(zipped, ["Content-Encoding": "gzip"]) == 429)
      for id in ids { gate.open(id) }
      for task in tasks { try await task.value }
      #expect(try await publish(zipped, ["Content-Encoding": "gzip"]) == 200)
    }
  }
}
#endif
