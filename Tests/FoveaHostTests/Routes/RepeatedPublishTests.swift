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
          answer.body.contains("\"version\": \(version), ") && answer.body.hasSuffix("\(end)}\n"),
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
