// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaGeometry
import Testing

@testable import FoveaFormats

@Suite struct RecordWriterTests {
  struct WriterCase: CustomTestStringConvertible {
    var id: String
    var writer: any DetectionWriter
    var records: [DetectionRecord]
    var expected: String
    var testDescription: String { id }
  }

  static let failed = DetectionRecord(image: "bad.jpg", result: .failure(Sample.error))
  static let plain = DetectedObject(box: BoundingBox(x: 0, y: 1.005, width: 2, height: 3), score: 0.5)
  static let line =
    #"{"image": "street.jpg", "width": 4032, "height": 3024, "orientation": "right", "#
    + #""objects": [{"box": {"x": 812.4, "y": 400, "width": 1210.9, "height": 1804.2}, "score": 0.91, "#
    + #""trackingID": null, "labels": [{"text": "Home good", "index": 1, "confidence": 0.83}]}], "#
    + #""milliseconds": {"decode": 9.8, "prepare": 0.4, "detect": 2.3, "classify": 3.1, "total": 15.9}}"#
  static let failedLine =
    #"{"image": "bad.jpg", "error": {"code": "image-truncated", "#
    + #""message": "the file ends after 100 of 4096 bytes", "remedy": "Copy the file again"}}"#
  static var labels: DetectionRecord {
    var findings = Sample.findings
    findings.content = .labels([
      Sample.label, Label(text: nil, index: 7, confidence: 0.0000004),
    ])
    findings.timings = StageTimings()
    return DetectionRecord(image: "a.png", result: .success(findings))
  }
  static let zero = #"{"decode": 0, "prepare": 0, "detect": 0, "classify": 0, "total": 0}"#

  static let cases = [
    WriterCase(id: "json, nothing", writer: JSONWriter(), records: [], expected: "[]\n"),
    WriterCase(
      id: "json, one and a failure", writer: JSONWriter(),
      records: [Sample.record("street.jpg", [Sample.object]), failed],
      expected: "[\n\(line),\n\(failedLine)\n]\n"),
    WriterCase(
      id: "jsonl", writer: JSONLinesWriter(),
      records: [failed, Sample.record("street.jpg", [Sample.object])],
      expected: "\(failedLine)\n\(line)\n"),
    WriterCase(
      id: "jsonl, labels of a whole photo", writer: JSONLinesWriter(), records: [labels],
      expected: #"{"image": "a.png", "width": 4032, "height": 3024, "orientation": "right", "labels": ["#
        + #"{"text": "Home good", "index": 1, "confidence": 0.83}, "#
        + #"{"text": null, "index": 7, "confidence": 0}], "milliseconds": \#(zero)}"# + "\n"),
    WriterCase(
      id: "csv", writer: CSVWriter(kind: .objects, writesHeader: true),
      records: [
        Sample.record("a,\"b\"\n.jpg", [Sample.object, plain]), failed, Sample.record("none.jpg", []),
      ],
      expected: """
        image,width,height,orientation,space,objects,object,x,y,box_width,box_height,score,label,\
        label_index,label_confidence
        "a,""b""
        .jpg",4032,3024,right,stored,2,1,812.4,400,1210.9,1804.2,0.91,Home good,1,0.83
        "a,""b""
        .jpg",4032,3024,right,stored,2,2,0,1,2,3,0.5,,,
        none.jpg,4032,3024,right,stored,0,,,,,,,,,

        """),
    WriterCase(
      id: "csv, labels", writer: CSVWriter(kind: .labels, writesHeader: true), records: [labels],
      expected: """
        image,width,height,orientation,space,labels,rank,label,label_index,label_confidence
        a.png,4032,3024,right,stored,2,1,Home good,1,0.83
        a.png,4032,3024,right,stored,2,2,,7,0

        """),
    WriterCase(
      id: "csv, no header when resumed", writer: CSVWriter(kind: .labels, writesHeader: false), records: [],
      expected: ""),
    WriterCase(
      id: "text", writer: TextWriter(),
      records: [
        Sample.record("street.jpg", [Sample.object, plain]), failed, Sample.record("e.jpg", []), labels,
      ],
      expected: """
        street.jpg  4032 × 3024
          Home good  0.83  at 812.4, 400.0  size 1210.9 × 1804.2  box 0.91
          object     0.50  at   0.0,   1.0  size    2.0 ×    3.0
        e.jpg  4032 × 3024
          no objects
        a.png  4032 × 3024
          Home good  0.83
          class 7    0.00

        """),
    WriterCase(
      id: "text, escape sequences in a name", writer: TextWriter(),
      records: [Sample.record("\u{1B}[2J\n\u{202E}.jpg", [])],
      expected: "\\u{1b}[2J\\n\\u{202e}.jpg  4032 × 3024\n  no objects\n"),
    WriterCase(
      id: "text, coloured", writer: TextWriter(isColored: true),
      records: [Sample.record("e.jpg", [plain])],
      expected: "\u{1B}[1me.jpg\u{1B}[0m  \u{1B}[2m4032 × 3024\u{1B}[0m\n"
        + "  \u{1B}[1mobject\u{1B}[0m  0.50  at 0.0, 1.0  size 2.0 × 3.0\n"),
  ]

  @Test(arguments: cases)
  func `a format prints exactly this`(_ test: WriterCase) {
    var writer: any DetectionWriter = test.writer
    var text = writer.header()
    for record in test.records { text += writer.text(for: record) }
    text += writer.footer()
    #expect(text == test.expected)
  }

  @Test func `boxes of the upright image are marked`() {
    var findings = Sample.findings
    findings.content = .objects([
      DetectedObject(box: BoundingBox(x: 0, y: 0, width: 4_032, height: 1_000), score: 1)
    ])
    let upright = findings.upright()
    #expect(upright.size == PixelSize(width: 3_024, height: 4_032))
    let text = RecordJSON.line(for: DetectionRecord(image: "a", result: .success(upright)))
    #expect(
      text.hasPrefix(
        #"{"image": "a", "width": 3024, "height": 4032, "orientation": "right", "space": "upright", "#
          + #""objects": [{"box": {"x": 2024, "y": 0, "width": 1000, "height": 4032}"#))
    #expect(upright.upright() == upright)
  }

  @Test func `keypoints follow the labels, rotated like boxes`() {
    var findings = Sample.findings
    findings.content = .objects([
      DetectedObject(
        box: BoundingBox(x: 0, y: 0, width: 4_032, height: 1_000), score: 1,
        keypoints: [PixelPoint(x: 10, y: 20.5), PixelPoint(x: -1, y: 0)])
    ])
    func text(_ findings: DetectionRecord.Findings) -> String {
      RecordJSON.line(for: DetectionRecord(image: "a", result: .success(findings)))
    }
    #expect(
      text(findings).contains(#""labels": [], "keypoints": [{"x": 10, "y": 20.5}, {"x": -1, "y": 0}]}]"#))
    #expect(
      text(findings.upright()).contains(
        #""labels": [], "keypoints": [{"x": 3003.5, "y": 10}, {"x": 3024, "y": -1}]}]"#))
    findings.content = .objects([DetectedObject(box: BoundingBox(x: 0, y: 0, width: 1, height: 1), score: 1)])
    #expect(!text(findings).contains("keypoints"))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a keypoint that is not finite is refused`(_ value: Double) {
    var findings = Sample.findings
    findings.content = .objects([
      DetectedObject(
        box: BoundingBox(x: 0, y: 0, width: 1, height: 1), score: 1, keypoints: [PixelPoint(x: 0, y: value)])
    ])
    #expect(throws: FoveaError.self) { try findings.checkNumbers() }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite is refused`(_ value: Double) {
    var object = Sample.object
    object.box.maxX = value
    var findings = Sample.findings
    findings.content = .objects([object])
    #expect(throws: FoveaError.self) { try findings.checkNumbers() }
    object = Sample.object
    object.score = Float(value)
    findings.content = .objects([object])
    #expect(throws: FoveaError.self) { try findings.checkNumbers() }
    findings.content = .labels([Label(text: "a", index: 0, confidence: Float(value))])
    #expect(throws: FoveaError.self) { try findings.checkNumbers() }
  }

  @Test func `finite numbers are accepted`() throws {
    try Sample.findings.checkNumbers()
  }
}
