// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@Suite struct EventReaderTests {
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)

  /// Returns an event with these further members.
  private static func event(_ members: String) -> String {
    #"{"id": "0123456789abcdef", "kind": "metric", "name": "m", "unit": "u", "time": "\#(now.text)""#
      + members + "}"
  }

  /// The further members of an event, and the start and end of the message that refuses it.
  @Test(arguments: [
    ("", "no experiment counts 'm'", " at that time"),
    (#", "value": 5"#, "no experiment counts 'm'", " at that time"),
    (#", "vaule": 5"#, "an event has no member 'vaule' at line 1", "; did you mean 'value'?"),
    (
      #", "varient": "b", "vaule": 5"#, "an event has no member 'varient' at line 1",
      "; did you mean 'variant'?"
    ),
    (#", "VALUE": 5"#, "an event has no member 'VALUE' at line 1", "; did you mean 'value'?"),
    (
      #", "app": {"version": [1]}"#, "an event has no member 'app' at line 1",
      "; it has id, kind, experiment, variant, name, unit, time, value"
    ),
    (
      #", "": 1"#, "an event has no member '' at line 1",
      "; it has id, kind, experiment, variant, name, unit, time, value"
    ),
  ])
  func `an event with an unknown member is refused by itself`(members: String, start: String, end: String)
    throws
  {
    let text = #"{"events": [\#(Self.event(members)), \#(Self.event(""))]}"#
    let events = try EventReader.events(Array(text.utf8))
    var intake = EventIntake(project: "p", experiments: [], now: Self.now)
    for event in events { intake.take(event) }
    let messages = intake.refused.map(\.message)
    #expect(messages.count == 2 && messages[0].hasPrefix(start) && messages[0].hasSuffix(end), "\(messages)")
    #expect(messages.last == "no experiment counts 'm' at that time")
  }

  @Test(arguments: [
    (#"{"events": [], "event": []}"#, "the body has no member 'event' at line 1, column"),
    (#"{"dryRun": true, "events": []}"#, "; it has events"),
    ("{}", "'events' is missing"), ("[]", "an object is needed"), ("", "The body"),
  ])
  func `a body with another member, or without events, is refused`(text: String, message: String) {
    let error = #expect(throws: HostError.self) { try EventReader.events(Array(text.utf8)) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
#endif
