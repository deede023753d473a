// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaTracking
import Testing

@testable import FoveaFormats

@Suite struct FrameWriterTests {
  /// A frame as in an upright video of 640 × 480.
  static func record(_ objects: [DetectedObject], number: Int = 7) -> FrameRecord {
    FrameRecord(
      source: "a, b.mp4", number: number, seconds: 0.24, size: PixelSize(width: 640, height: 480),
      objects: objects, timings: Sample.timings, tracking: .microseconds(125))
  }

  static func object(_ identity: Int?, label: String? = "cat", x: Double = 10.5) -> DetectedObject {
    var object = DetectedObject(
      box: BoundingBox(x: x, y: 20, width: 30.25, height: 40.123456789), score: 0.75,
      labels: label.map { [Label(text: $0, index: 3, confidence: 0.75)] } ?? [])
    object.trackingID = identity
    return object
  }

  @Test func `text has a line for the frame and one for each object`() {
    let writer = FrameTextWriter()
    #expect(writer.header() == "")
    #expect(
      writer.text(for: Self.record([Self.object(2), Self.object(11, label: nil, x: 110)])) == """
        frame 7  0.240 s
           #2  cat     0.75  at  10.5, 20.0  size 30.3 × 40.1
          #11  object  0.75  at 110.0, 20.0  size 30.3 × 40.1

        """)
    var moved = Self.record([Self.object(2, label: "a\nb")])
    moved.isDetected = false
    moved.seconds = nil
    #expect(
      writer.text(for: moved) == """
        frame 7  moved
          #2  a\\nb  0.75  at 10.5, 20.0  size 30.3 × 40.1

        """)
    moved.isWatched = false
    #expect(writer.text(for: moved).hasPrefix("frame 7  held\n"))
    #expect(writer.text(for: Self.record([])) == "")
  }

  @Test func `MOT has a line for each identity and none for an empty frame`() {
    let writer = FrameMOTWriter()
    #expect(writer.header() == "")
    #expect(
      writer.text(for: Self.record([Self.object(2), Self.object(nil), Self.object(11, x: -3)])) == """
        7,2,10.5,20,30.25,40.123457,0.75,-1,-1,-1
        7,11,-3,20,30.25,40.123457,0.75,-1,-1,-1

        """)
    #expect(writer.text(for: Self.record([])) == "")
  }

  @Test func `CSV has its columns once and a row for an empty frame`() {
    let writer = FrameCSVWriter()
    #expect(
      writer.header()
        == "image,frame,seconds,width,height,orientation,space,detected,objects,id,x,y,box_width,"
        + "box_height,score,label,label_index,label_confidence\n")
    #expect(
      writer.text(for: Self.record([Self.object(2, label: "a \"b\", c"), Self.object(11, label: nil)])) == """
        "a, b.mp4",7,0.24,640,480,up,stored,1,2,2,10.5,20,30.25,40.12,0.75,"a ""b"", c",3,0.75
        "a, b.mp4",7,0.24,640,480,up,stored,1,2,11,10.5,20,30.25,40.12,0.75,,,

        """)
    var empty = FrameRecord(source: "d.txt", number: 1, objects: [])
    empty.isDetected = false
    #expect(writer.text(for: empty) == "d.txt,1,,,,up,stored,0,0,,,,,,,,,\n")
  }

  @Test func `JSON has each frame, with counts if something is counted`() {
    let writer = FrameJSONWriter()
    #expect(writer.header() == "")
    var record = Self.record([Self.object(2)])
    #expect(
      writer.text(for: record)
        == #"{"image": "a, b.mp4", "frame": 7, "seconds": 0.24, "width": 640, "height": 480, "#
        + #""orientation": "up", "detected": true, "objects": [{"box": {"x": 10.5, "y": 20, "width": 30.25, "#
        + #""height": 40.12}, "score": 0.75, "trackingID": 2, "labels": [{"text": "cat", "index": 3, "#
        + #""confidence": 0.75}]}], "milliseconds": {"decode": 9.8, "prepare": 0.4, "detect": 2.3, "#
        + "\"classify\": 3.1, \"track\": 0.125, \"total\": 16.025}}\n")
    record = FrameRecord(source: "d.txt", number: 1, objects: [])
    record.counts = CountTable(lines: [LineCounts()], zones: [])
    #expect(
      writer.text(for: record)
        == #"{"image": "d.txt", "frame": 1, "seconds": null, "width": null, "height": null, "#
        + #""orientation": "up", "detected": true, "objects": [], "counts": {"lines": [{"in": 0, "out": 0}], "#
        + #""zones": []}, "milliseconds": {"decode": 0, "prepare": 0, "detect": 0, "classify": 0, "track": 0, "#
        + "\"total\": 0}}\n")
  }

  @Test func `a rotated frame names its coordinate space once the boxes are upright`() {
    var record = Self.record([Self.object(2)])
    record.orientation = .right
    let upright = record.upright()
    #expect(upright.size == PixelSize(width: 480, height: 640))
    #expect(abs(upright.objects[0].box.width - record.objects[0].box.height) < 1e-9)
    #expect(upright.upright() == upright)
    #expect(FrameJSONWriter().text(for: upright).contains(#""orientation": "right", "space": "upright", "#))
    #expect(FrameCSVWriter().text(for: upright).contains(",480,640,right,upright,"))
    // Without a size nothing can be rotated.
    #expect(
      FrameRecord(source: "d.txt", number: 1, orientation: .right, objects: []).upright().space == .stored)
  }
}
