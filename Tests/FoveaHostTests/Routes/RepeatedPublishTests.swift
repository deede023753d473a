// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

/// A file published again, and the first of a name.
@Suite struct RepeatedPublishTests {
  private static let birds = "/v1/host/projects/test-project/models/birds"

  private static func publish(
    _ host: RunningHost, _ text: String, channel: String = "stable"
  ) throws -> RunningHost.Answer {
    try host.send(as: .publisher, "POST", "\(birds)/versions?channel=\(channel)", body: markedModel(text))
  }

  @Test func `the response reports that the bytes exist, and which version the channel leaves for them`()
    async throws
  {
    try await RunningHost.run { host throws in
      func ends(_ answer: RunningHost.Answer, _ version: Int, _ end: String) {
        #expect(
          answer.body.contains("\"version\": \(version), ")
            && answer.body.hasSuffix("\(end), \"endedRollout\": null}\n"),
          "\(answer.body)")
      }
      try ends(Self.publish(host, "one"), 1, #""channel": "stable", "repeated": false, "before": null"#)
      try ends(Self.publish(host, "two"), 2, #""channel": "stable", "repeated": false, "before": 1"#)
      try ends(Self.publish(host, "two"), 2, #""channel": "stable", "repeated": true, "before": 2"#)
      try ends(Self.publish(host, "one"), 1, #""channel": "stable", "repeated": true, "before": 2"#)
      try ends(
        Self.publish(host, "two", channel: "beta"), 2,
        #""channel": "beta", "repeated": true, "before": null"#)
    }
  }

  /// A publish while version 3 is rolled out to 10 %, and stable is 2 after 1.
  private struct Row {
    var text: String
    var channel = "stable"
    /// The version that the answer names, and the members after the channel.
    var answer: (version: Int, end: String)
    /// The stable version afterwards.
    var stable: Int
    var keepsRollout = false
    var changes = true
  }

  @Test(arguments: [false, true])
  func `known bytes end a rollout only if stable moves, and the answer says so`(isHalted: Bool) async throws {
    let rows = [
      Row(
        text: "two", answer: (2, #""repeated": true, "before": 2, "endedRollout": null"#), stable: 2,
        keepsRollout: true, changes: false),
      Row(
        text: "three", channel: "beta",
        answer: (3, #""repeated": true, "before": 3, "endedRollout": null"#), stable: 2, keepsRollout: true,
        changes: false),
      Row(
        text: "one", channel: "beta", answer: (1, #""repeated": true, "before": 3, "endedRollout": null"#),
        stable: 2, keepsRollout: true),
      Row(
        text: "four", channel: "beta",
        answer: (4, #""repeated": false, "before": 3, "endedRollout": null"#), stable: 2, keepsRollout: true),
      Row(text: "one", answer: (1, #""repeated": true, "before": 2, "endedRollout": 3"#), stable: 1),
      Row(text: "three", answer: (3, #""repeated": true, "before": 2, "endedRollout": 3"#), stable: 3),
      Row(text: "four", answer: (4, #""repeated": false, "before": 2, "endedRollout": 3"#), stable: 4),
    ]
    for row in rows {
      try await RunningHost.run { host throws in
        for (text, channel) in [("one", "stable"), ("two", "stable"), ("three", "beta")] {
          #expect(try Self.publish(host, text, channel: channel).status == 200)
        }
        let share = #"{"version": 3, "percent": 10}"#
        #expect(try host.send(as: .publisher, "PUT", "\(Self.birds)/rollout", body: share).status == 200)
        if isHalted {
          let halt = #"{"halt": true}"#
          #expect(try host.send(as: .publisher, "PUT", "\(Self.birds)/rollout", body: halt).status == 200)
        }
        let before = try host.models.model("birds")
        let history = try host.send(as: .viewer, "GET", "\(Self.birds)/history").body
        let answer = try Self.publish(host, row.text, channel: row.channel)
        #expect(
          answer.body.contains("\"version\": \(row.answer.version), ")
            && answer.body.hasSuffix("\(row.answer.end)}\n"), "\(row.text): \(answer.body)")
        let after = try host.models.model("birds")
        #expect(after.channels["stable"] == row.stable, "\(row.text)")
        #expect(after.rollout == (row.keepsRollout ? before.rollout : nil), "\(row.text)")
        #expect((after == before) == !row.changes, "\(row.text)")
        let isLogged = try host.send(as: .viewer, "GET", "\(Self.birds)/history").body != history
        #expect(isLogged == row.changes, "\(row.text)")
      }
    }
  }

  @Test func `the history of a first publish starts with its version`() async throws {
    try await RunningHost.run { host throws in
      #expect(try Self.publish(host, "one").status == 200)
      let history = try host.send(as: .viewer, "GET", "\(Self.birds)/history").body
      #expect(
        history.ranges(of: "\"action\"").count == 1 && history.contains("version.publish"), "\(history)")
      #expect(history.contains("channel stable") && !history.contains("No model file"), "\(history)")
      // An invalid file leaves no model behind.
      let none = "/v1/host/projects/test-project/models/none"
      #expect(try host.send(as: .publisher, "POST", "\(none)/versions", body: "no model").status == 400)
      #expect(try host.send(as: .viewer, "GET", none).status == 404)
    }
  }
}
#endif
