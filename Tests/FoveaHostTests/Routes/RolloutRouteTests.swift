// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

/// The members of a change of a rollout.
@Suite struct RolloutRouteTests {
  private static let native = "/v1/host/projects/test-project/models/birds"

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let body: String
    var status = 400
    var message = ""
  }

  private static let refused = [
    Case(
      testDescription: "a share and the end", body: #"{"version": 2, "percent": 50, "finish": true}"#,
      message: "'finish' and 'percent' of a rollout exclude each other: give one of them"),
    Case(
      testDescription: "a share and the halt", body: #"{"version": 2, "percent": 50, "halt": true}"#,
      message: "'halt' and 'percent' of a rollout exclude each other: give one of them"),
    Case(
      testDescription: "the halt and the end", body: #"{"halt": true, "finish": true}"#,
      message: "'finish' and 'halt' of a rollout exclude each other: give one of them"),
    Case(
      testDescription: "all three", body: #"{"version": 2, "percent": 0, "halt": true, "finish": true}"#,
      message: "'finish' and 'halt' and 'percent' of a rollout exclude each other: give one of them"),
    Case(
      testDescription: "the end of another version", body: #"{"version": 3, "finish": true}"#, status: 409,
      message: "The rollout is of version 2 now, not of version 3"),
    Case(
      testDescription: "the halt of another version", body: #"{"version": 1, "halt": true}"#, status: 409,
      message: "The rollout is of version 2 now, not of version 1"),
    Case(
      testDescription: "a share that rounds to none", body: #"{"version": 2, "percent": 1e-9}"#,
      message: "1e-09 % is below the smallest share of a rollout, 0.000001 %"),
    Case(testDescription: "nothing", body: "{}", message: "Give a rollout a version and a percentage"),
    Case(
      testDescription: "neither halt nor end", body: #"{"halt": false, "finish": false}"#,
      message: "Give a rollout a version and a percentage"),
    Case(
      testDescription: "only a version", body: #"{"version": 2}"#,
      message: "Give a rollout a version and a percentage"),
    Case(
      testDescription: "a share over 100", body: #"{"version": 2, "percent": 100.1}"#,
      message: "The share is 100.1, not a percentage from 0 to 100"),
  ]

  private static func start(_ host: RunningHost) throws {
    for (text, channel) in [("one", "stable"), ("two", "beta"), ("three", "beta")] {
      let answer = try host.send(
        as: .publisher, "POST", "\(native)/versions?channel=\(channel)", body: markedModel(text))
      try #require(answer.status == 200, "\(answer.body)")
    }
    let answer = try host.send(
      as: .publisher, "PUT", "\(native)/rollout", body: #"{"version": 2, "percent": 10}"#)
    try #require(answer.status == 200, "\(answer.body)")
  }

  @Test func `members that exclude each other and another version change nothing`() async throws {
    try await RunningHost.run { host in
      try Self.start(host)
      for row in Self.refused {
        let answer = try host.send(as: .publisher, "PUT", "\(Self.native)/rollout", body: row.body)
        #expect(answer.status == row.status, "\(row.testDescription): \(answer.body)")
        #expect(answer.body.contains(row.message), "\(row.testDescription): \(answer.body)")
        let model = try host.models.model("birds")
        #expect(
          model.rollout?.version == 2 && model.rollout?.share == 10_000_000, "\(row.testDescription)")
        #expect(model.channels["stable"] == 1, "\(row.testDescription)")
      }
    }
  }

  @Test func `the version of the rollout halts and finishes it`() async throws {
    try await RunningHost.run { host in
      try Self.start(host)
      for body in [
        #"{"version": 2, "halt": true, "finish": false}"#, #"{"version": 2, "percent": 20, "halt": false}"#,
        #"{"version": 2, "finish": true}"#,
      ] {
        let answer = try host.send(as: .publisher, "PUT", "\(Self.native)/rollout", body: body)
        #expect(answer.status == 200, "\(body): \(answer.body)")
      }
      let model = try host.models.model("birds")
      #expect(model.rollout == nil && model.channels["stable"] == 2)
    }
  }

  @Test func `the history of a rollout states what has happened at each step`() async throws {
    try await RunningHost.run { host in
      try Self.start(host)
      let steps = [
        ("PUT", "/rollout", #"{"halt": true}"#, "rollout: version 2, 10 % → version 2, halted at 10 %"),
        (
          "PUT", "/rollout", #"{"version": 2, "percent": 20}"#,
          "rollout: version 2, halted at 10 % → version 2, 20 %"
        ),
        ("PUT", "/rollout", #"{"version": 2, "percent": 0}"#, "rollout: version 2, 20 % → version 2, 0 %"),
        ("PUT", "/rollout", #"{"halt": true}"#, "rollout: version 2, 0 % → version 2, halted at 0 %"),
        (
          "PUT", "/rollout", #"{"version": 3, "percent": 0.000001}"#,
          "rollout: version 2, halted at 0 % → version 3, 0.000001 %"
        ),
        ("POST", ":rollback", #"{"channel": "stable"}"#, "rollout: version 3, 0.000001 % → –"),
        ("PUT", "/rollout", #"{"version": 2, "percent": 100}"#, "rollout: version 2, 100 %"),
        (
          "PUT", "/rollout", #"{"finish": true}"#,
          "channel stable: 1 → 2, rollout: version 2, 100 % → –"
        ),
      ]
      for (method, path, body, text) in steps {
        let answer = try host.send(as: .publisher, method, Self.native + path, body: body)
        #expect(answer.status == 200, "\(body): \(answer.body)")
        let page = try host.send(as: .viewer, "GET", "\(Self.native)/history?limit=1")
        let history = try HostClient.Reply(json: page.body).decode(HostAnswer.History.self)
        #expect(history.entries.map(\.changeText) == [text], "\(body)")
      }
    }
  }
}
#endif
