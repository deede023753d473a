// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaTracking
import Testing

@Suite struct EventJSONWriterTests {
  /// The messages about a person who comes at 340.0 s, crosses a line and ends.
  private static func messages() throws -> [ObjectEvent] {
    var events = try ObjectEvents(
      lines: [CountingLine("door", from: PixelPoint(x: 0, y: 250), to: PixelPoint(x: 640, y: 250))],
      zones: [
        CountingZone(
          "drive", [(0, 0), (640, 0), (640, 240), (0, 240)].map { PixelPoint(x: $0.0, y: $0.1) })
      ])
    let boxes = [
      BoundingBox(x: 102.4, y: 88.1, width: 61.5, height: 140.2),
      BoundingBox(x: 102.4, y: 188.1, width: 61.5, height: 140.2),
    ]
    var messages: [ObjectEvent] = []
    for (index, box) in boxes.enumerated() {
      let object = ObservedObject(identity: 7, label: "person", score: 0.82 - 0.1 * Double(index), box: box)
      messages += events.update([object], frame: 5100 + index, seconds: 340 + 1.36 * Double(index))
    }
    return messages + events.finish(.sourceEnded)
  }

  private static func lines(_ writer: EventJSONWriter) throws -> [String] {
    var writer = writer
    return try messages().map { writer.text(for: $0, in: PixelSize(width: 640, height: 360)) }
  }

  @Test func `each kind of message has its members in order`() throws {
    let start = try #require(CivilDate.milliseconds(text: "2026-11-26T11:48:12.123Z"))
    let lines = try Self.lines(EventJSONWriter(source: "gate", start: start))
    let first =
      #""label": "person", "trackingID": 7, "score": 0.82, "topScore": 0.82, "box": {"x": 102.4, "y": 88.1, "#
      + #""width": 61.5, "height": 140.2}, "width": 640, "height": 360, "frame": 5100, "seconds": 340, "#
      + #""time": "2026-11-26T11:53:52.123Z", "startTime": "2026-11-26T11:53:52.123Z", "duration": 0, "#
      + #""still": false, "#
    let second =
      #""label": "person", "trackingID": 7, "score": 0.72, "topScore": 0.82, "box": {"x": 102.4, "#
      + #""y": 188.1, "width": 61.5, "height": 140.2}, "width": 640, "height": 360, "frame": 5101, "#
      + #""seconds": 341.36, "time": "2026-11-26T11:53:53.483Z", "startTime": "2026-11-26T11:53:52.123Z", "#
      + #""duration": 1.36, "#
      + #""still": false, "zones": {}, "#
    func head(_ kind: String, _ number: Int) -> String {
      #"{"event_type": "\#(kind)", "id": "gate-20261126T115352.123Z-7", "number": \#(number), "#
        + #""sequence": \#(number), "source": "gate", "#
    }
    #expect(
      lines == [
        head("start", 1) + first + #""zones": {}, "snapshot": null}"# + "\n",
        head("entered", 2) + first
          + #""zones": {"drive": 0}, "zone": "drive", "dwell": 0, "snapshot": null}"# + "\n",
        head("crossed", 3) + second.replacing(#""zones": {}"#, with: #""zones": {"drive": 1.36}"#)
          + #""line": "door", "direction": "in", "snapshot": null}"# + "\n",
        head("left", 4) + second + #""zone": "drive", "dwell": 1.36, "snapshot": null}"# + "\n",
        head("end", 5) + second
          + #""endTime": "2026-11-26T11:53:53.483Z", "reason": "source-ended", "snapshot": null}"# + "\n",
      ])
  }

  @Test func `an event with a snapshot has its address, also in a source with a strange name`() throws {
    let writer = EventJSONWriter(named: "a/../b %", start: 0)
    let event = try #require(Self.messages().first)
    let line = writer.text(
      for: event, in: nil, number: 1, startTime: "2026-11-26T11:53:52.123Z", hasSnapshot: true)
    let id = writer.id(startTime: "2026-11-26T11:53:52.123Z", startIdentity: 7)
    #expect(id == "a____b__-20261126T115352.123Z-7")
    #expect(line.contains("\"id\": \"\(id)\""))
    #expect(line.hasSuffix("\"snapshot\": \"/v1/events/\(id)/snapshot.jpg\"}\n"))
  }

  @Test func `without the moment of the start, times are null and the id has seconds`() throws {
    let lines = try Self.lines(EventJSONWriter(source: "clips/my walk.mp4"))
    #expect(lines[0].contains(#""id": "my_walk-340.000-7""#))
    #expect(lines[0].contains(#""source": "clips/my walk.mp4""#))
    #expect(lines[0].contains(#""time": null, "startTime": null"#))
    #expect(lines.last?.contains(#""endTime": null, "reason": "source-ended""#) == true)
  }

  @Test func `hostile times and sizes are valid JSON`() throws {
    var events = try ObjectEvents()
    let object = ObservedObject(
      identity: .max, score: 0.9, box: BoundingBox(x: -9e5, y: 0, width: 1e5, height: 1e5))
    for seconds in [-1e300, 1e300] {
      var writer = EventJSONWriter(source: "\"/\u{0}", start: .max / 2)
      for event in events.update([object], frame: 1, seconds: seconds) + events.finish(.interrupted) {
        let line = writer.text(for: event, in: nil)
        #expect(line.hasSuffix("}\n") && line.contains(#""width": null, "height": null"#))
      }
    }
  }
}
