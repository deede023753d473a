// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import Testing

@testable import FoveaServerCLI

@Suite struct PublishedTextTests {
  @Test(arguments: [
    (#""repeated": false, "before": null"#, "bird version 2 is stable\n"),
    (#""repeated": false, "before": 1"#, "bird version 2 is stable\n"),
    (
      #""repeated": false, "before": 1, "endedRollout": 1"#,
      "bird version 2 is stable; the rollout of version 1 ends\n"
    ),
    (
      #""repeated": true, "before": 2, "endedRollout": null"#,
      "bird version 2 already has these bytes and is still stable: nothing changes\n"
    ),
    (
      #""repeated": true, "before": 2, "endedRollout": null, "repaired": true"#,
      "bird version 2 already has these bytes and is still stable: its damaged file is repaired\n"
    ),
    (
      #""repeated": true, "before": null, "repaired": true"#,
      "bird version 2 already has these bytes and is now stable; its damaged file is repaired\n"
    ),
    (
      #""repeated": true, "before": 3, "endedRollout": 4, "repaired": true"#,
      "bird version 2 already has these bytes and is now stable instead of version 3; "
        + "the rollout of version 4 ends; its damaged file is repaired\n"
    ),
    (#""repeated": true, "before": null"#, "bird version 2 already has these bytes and is now stable\n"),
    (
      #""repeated": true, "before": 3"#,
      "bird version 2 already has these bytes and is now stable instead of version 3\n"
    ),
    (
      #""repeated": true, "before": 3, "endedRollout": 4"#,
      "bird version 2 already has these bytes and is now stable instead of version 3; "
        + "the rollout of version 4 ends\n"
    ),
    // The response of an older host.
    (#""sha256": "a""#, "bird version 2 is stable\n"),
  ])
  func `a publish reports existing bytes, a channel moved back, and the end of a rollout`(
    _ members: String, _ line: String
  )
    throws
  {
    let reply = HostClient.Reply(
      json: #"{"model": "bird", "channel": "stable", "version": 2, \#(members)}"#)
    #expect(try reply.decode(HostAnswer.Published.self).line == line)
  }

  @Test(arguments: ["", "\n"]) func `the figures of a comparison are the last member`(_ end: String) {
    let reply = HostClient.Reply(json: #"{"version": 2, "facts": {}}"# + end)
    #expect(
      reply.with(comparison: #"{"schema": "compare/1"}"# + "\n").json
        == #"{"version": 2, "facts": {}, "comparison": {"schema": "compare/1"}}"#)
    #expect(reply.with(comparison: "null").json == #"{"version": 2, "facts": {}, "comparison": null}"#)
  }

  @Test(arguments: [
    (0, "0 seconds"), (1, "1 second"), (18, "18 seconds"), (60, "1 minute"), (90, "1.5 minutes"),
    (1_800, "30 minutes"), (3_600, "1 hour"), (5_400, "1.5 hours"), (86_400, "24 hours"),
    (172_800, "2 days"), (604_800, "7 days"),
  ])
  func `a window is a duration as in sentences`(_ seconds: Int, _ text: String) {
    #expect(WindowText.text(seconds: seconds) == text)
  }
}
#endif
