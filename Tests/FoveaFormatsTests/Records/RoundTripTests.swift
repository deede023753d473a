// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaEvaluation
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Testing

/// Each format is read back by its reader.
@Suite struct RoundTripTests {
  static let size = PixelSize(width: 640, height: 480)

  static func record(
    _ name: ImageName, _ content: DetectionRecord.Findings.Content,
    space: DetectionRecord.Findings.Space = .stored
  ) -> DetectionRecord {
    DetectionRecord(
      name: name,
      result: .success(
        DetectionRecord.Findings(size: size, orientation: .right, space: space, content: content)))
  }

  static func object(_ text: String?, index: Int, x: Double = 1.25) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: x, y: 2.5, width: 30, height: 40.75), score: 0.75,
      labels: [Label(text: text, index: index, confidence: 0.5)])
  }

  static let full = DetectedObject(
    box: BoundingBox(x: -3.25, y: 0, width: 10, height: 20), score: 0.5,
    labels: [
      Label(text: "a \"b\",\n✓", index: 3, confidence: 0.25), Label(text: nil, index: 1, confidence: 0.125),
    ],
    trackingID: 12, keypoints: [PixelPoint(x: 1.5, y: -2), PixelPoint(x: 3, y: 4.25)])

  static let objects = [
    record("a.jpg", .objects([object("cat", index: 1), object(nil, index: 7, x: 100)])),
    record(ImageName(FilePath(bytes: [0x61, 0xFF])), .objects([]), space: .upright),
    record("line\nbreak,\".jpg", .objects([object("dog", index: 2)])),
    record(
      "base64:x", .objects([DetectedObject(box: BoundingBox(x: 0, y: 0, width: 1, height: 1), score: 1)])),
  ]
  static let labels = [
    record("a.jpg", .labels([Label(text: "sky", index: 4, confidence: 0.5)])),
    record("none.jpg", .labels([])),
    record(
      "b.jpg",
      .labels([Label(text: "x", index: 0, confidence: 1), Label(text: "y", index: 1, confidence: 0)])),
  ]

  static func expect(_ read: [DetectionRecord], _ written: [DetectionRecord]) {
    #expect(read.map(\.name) == written.map(\.name))
    #expect(read.map(\.findings) == written.map(\.findings))
  }

  @Test(arguments: [objects + [record("f.jpg", .objects([full]))], labels, []])
  func `JSON and JSON lines round-trip`(_ records: [DetectionRecord]) throws {
    let failed = DetectionRecord(
      image: "bad.jpg",
      result: .failure(FoveaError(.init(rawValue: "c"), "m", remedy: "r")))
    var lines = JSONLinesWriter()
    var array = JSONWriter()
    for text in [lines.text(of: records + [failed]), array.text(of: records + [failed])] {
      var read: [DetectionRecord] = []
      try JSONRecordReader().read(json: Array(text.utf8)) { read.append($0) }
      Self.expect(read, records + [failed])
      guard case .failure(let error)? = read.last?.result else {
        Issue.record("a failure must read back as one")
        continue
      }
      #expect(error.code.rawValue == "c" && error.message == "m" && "\(error.remedy)" == "r")
    }
  }

  @Test(
    arguments: [
      ("[]", nil), ("[{}]", "The text of the records: a record has no image at line 1, column 4, byte 3"),
      (
        "{\"image\": \"a\"}",
        "The text of the records: a record has no objects, labels or error at line 1, column 15, byte 14"
      ),
      (
        "[{\"image\": \"a\", \"objects\": [{}]}]",
        "The text of the records: an object has no box at line 1, column 31, byte 30"
      ),
      (
        #"[{"image": "a", "labels": [{"text": "a", "score": 1}]}]"#,
        "The text of the records: a label has no confidence at line 1, column 53, byte 52"
      ),
      (
        #"[{"image": "a", "labels": [{"confidence": 1}]}]"#,
        "The text of the records: a label has no text at line 1, column 45, byte 44"
      ),
      (
        #"[{"image": "a", "labels": ["a"]}]"#,
        "The text of the records: an element of 'labels' is not an object at line 1, column 28, byte 27"
      ),
      (
        "7",
        "The text of the records: expected an array of records, got a number at line 1, column 1, byte 0"
      ),
    ] as [(String, String?)])
  func `text that is not JSON of records is an error`(_ text: String, _ problem: String?) {
    do throws(EvaluationError) {
      try JSONRecordReader().read(json: Array(text.utf8)) { _ in }
      #expect(problem == nil)
    } catch {
      #expect(error.message == problem)
    }
  }

  @Test func `CSV round-trips`() throws {
    for (kind, records) in [(AnswerKind.objects, Self.objects), (.labels, Self.labels)] {
      var writer = CSVWriter(kind: kind)
      let text = writer.text(of: records)
      Self.expect(try CSVReader().read(text: Array(text.utf8), name: "r.csv"), records)
    }
    #expect(try CSVReader().read(text: [], name: "r.csv").isEmpty)
  }

  @Test(arguments: [
    ("a,b\n", "r.csv line 1: not a header of fovea's results"),
    ("SEMIa;1\n", "r.csv line 1: the columns are separated by semicolons, not by commas"),
    ("HEADa,1\n", "r.csv line 2: not a row of fovea's results"),
    ("HEADa,1,2,up,stored,1,1,1,1,1,1,1,1,cat,x\n", "r.csv line 2: not a row of fovea's results"),
    ("HEADa,1,2,up,stored,2,2,1,1,1,1,1,cat,1,1\n", "r.csv line 2: not a row of fovea's results"),
  ])
  func `text that is not CSV of records is an error`(_ text: String, _ message: String) {
    var writer = CSVWriter(kind: .objects)
    let header = writer.header()
    let text = text.replacing("HEAD", with: header)
      .replacing("SEMI", with: header.replacing(",", with: ";"))
    let error = #expect(throws: EvaluationError.self) {
      try CSVReader().read(text: Array(text.utf8), name: "r.csv")
    }
    #expect(error?.message == message)
  }

  @Test(arguments: ["cat", " a\tb\nc\r ", "</name><bndbox>&lt;", "日本 🐈"])
  func `Pascal VOC round-trips`(_ label: String) throws {
    let objects = [
      DetectedObject(
        box: BoundingBox(x: 0, y: 10, width: 640, height: 5), score: 0.25,
        labels: [Label(text: label, index: 0, confidence: 0.25)]),
      DetectedObject(
        box: BoundingBox(x: 5, y: 6, width: 7, height: 8), score: 0.5,
        labels: [Label(text: "dog", index: 1, confidence: 0.5)]),
    ]
    let findings = DetectionRecord.Findings(size: Self.size, orientation: .up, content: .objects(objects))
    let text = VOCDocument(findings, of: ImageFile(path: "in/a&b.jpg")).text
    let read = try VOCReader().read(text: Array(text.utf8), name: "a.xml")
    #expect(read.image == "in/a&b.jpg")
    #expect(read.findings == findings)
  }

  @Test func `annotations of other tools are read`() throws {
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE annotation>
      <annotation verified="yes">
        <!-- <object> in a comment -->
        <filename>x.jpg</filename><size><width> 20 </width><height>10</height><depth/></size>
        <object><name>person</name>
          <part><name>head</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></part>
          <bndbox><xmax>9.5</xmax><xmin>3</xmin><ymin>4</ymin><ymax>8</ymax></bndbox></object>
        <object><name><![CDATA[cat & <co>]]></name>
          <bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></object>
      </annotation>
      """
    let record = try VOCReader().read(text: Array(text.utf8), name: "x.xml")
    #expect(record.image == "x.jpg")
    #expect(record.findings?.size == PixelSize(width: 20, height: 10))
    #expect(
      record.findings?.objects.map(\.box) == [
        BoundingBox(minX: 2, minY: 3, maxX: 9.5, maxY: 8), BoundingBox(minX: 0, minY: 0, maxX: 2, maxY: 2),
      ])
    #expect(record.findings?.objects.map { $0.labels.first?.text } == ["person", "cat & <co>"])
  }

  @Test(arguments: [
    ("", "x.xml: there is no complete annotation element"),
    ("<a></a>", "x.xml: there is no complete annotation element"),
    ("<annotation><object>", "x.xml: there is no complete annotation element"),
    ("<annotation><path><![CDATA[</path></annotation>", "x.xml: there is no complete annotation element"),
    ("<annotation><object></object></annotation>", "x.xml: object 1 has no name or no bndbox"),
    (
      "<annotation><object><name>a</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax>"
        + "</bndbox><confidence>high</confidence></object></annotation>",
      "x.xml: object 1 has the confidence 'high', which is not a number"
    ),
    (String(repeating: "<a>", count: 100_000), "x.xml: there is no complete annotation element"),
  ])
  func `a file that is not an annotation is an error`(_ text: String, _ message: String) {
    let error = #expect(throws: EvaluationError.self) {
      try VOCReader().read(text: Array(text.utf8), name: "x.xml")
    }
    #expect(error?.message == message)
  }

  @Test func `YOLO round-trips`() throws {
    let classes = ["cat", "dog"]
    let boxes = [
      BoundingBox(x: 64, y: 48, width: 32, height: 24), BoundingBox(x: 0, y: 0, width: 640, height: 480),
    ]
    let text = boxes.enumerated().map {
      YOLOLines.line(class: $0.offset, box: $0.element, size: Self.size, score: 0.5)
    }.joined()
    let read = try YOLOLines.read(text: Array(text.utf8), name: "a.txt", size: Self.size, classes: classes)
    #expect(read.map(\.box) == boxes)
    #expect(read.map(\.score) == [0.5, 0.5])
    #expect(read.map(\.labels.first?.text) == classes)
    let bare = try YOLOLines.read(
      text: Array("9 0.5 0.5 1 1\r\n\n".utf8), name: "a.txt", size: Self.size, classes: classes)
    #expect(bare.map(\.score) == [1])
    #expect(bare.first?.labels == [Label(text: nil, index: 9, confidence: 1)])
  }

  @Test(arguments: [
    "1 2 3", "-1 0 0 0 0", "0.5 0 0 0 0", "0 0 0 nan 0", "0 0 0 -1 0", "cat 0 0 1 1", "0 0 0 0 0 0 0",
  ])
  func `a line that is not YOLO is an error`(_ line: String) {
    let error = #expect(throws: EvaluationError.self) {
      try YOLOLines.read(
        text: Array("0 0 0 1 1\n\(line)\n".utf8), name: "a.txt", size: Self.size, classes: [])
    }
    #expect(error?.message == "a.txt line 2: '\(line)' is not a class, a box and an optional score")
  }

  /// Lines whose numbers are pixels, and the problem.
  static let pixelLines = [
    ("0 320 0.5 0.1 0.1", "the x of the centre is 320.0; expected a fraction, 0 to 1"),
    ("0 0.5 -12 0.1 0.1 0.9", "the y of the centre is -12.0; expected a fraction, 0 to 1"),
    ("0 1 1 1.51 1", "the width is 1.51; expected a fraction, 0 to 1"),
    ("0 1 1 1 24 0.5", "the height is 24.0; expected a fraction, 0 to 1"),
    ("0 1 1 1 1e300", "the height is 1e+300; expected a fraction, 0 to 1"),
    ("0 320 0.5 0.1 0.1 0.9 0.9", "the x of point 1 is 320.0; expected a fraction, 0 to 1"),
    ("0 0.1 0.1 0.9 0.1 0.9 480 0.9", "the y of point 3 is 480.0; expected a fraction, 0 to 1"),
    ("0 0.1 0.1 0.9 0.1 -0.51 0.9 2 0.9", "the x of point 3 is -0.51; expected a fraction, 0 to 1"),
    ("0 10 20 30 20 30 40 10 40", "the x of point 1 is 10.0; expected a fraction, 0 to 1"),
    ("0 32 24 8 8 30 20 2", "the x of point 1 is 32.0; expected a fraction, 0 to 1"),
  ]

  @Test(arguments: pixelLines)
  func `a box or an outline in pixels is not YOLO`(_ line: String, _ problem: String) {
    let error = #expect(throws: EvaluationError.self) {
      try YOLOLines.read(
        text: Array("0 0 0 1 1\n\n\(line)\n".utf8), name: "a.txt", size: Self.size, classes: [])
    }
    #expect(error?.code == .invalidLine && error?.message == "a.txt line 3: \(problem)")
    #expect(error?.remedy.description.hasPrefix("Divide x and width in pixels by") == true)
  }

  @Test(arguments: ["0 0.5 0.5 1.0001 1.0001", "0 1.0001 -0.0001 1 1 0.5", "0 1.5 -0.5 1.5 0"])
  func `a box of YOLO may reach a little beyond the image`(_ line: String) throws {
    let read = try YOLOLines.read(text: Array(line.utf8), name: "a.txt", size: Self.size, classes: [])
    #expect(read.count == 1)
  }

  @Test func `damaged texts give records or an error`() throws {
    var random = SeededGenerator(seed: 3)
    var lines = JSONLinesWriter()
    var rows = CSVWriter(kind: .objects)
    let annotation = VOCDocument(
      DetectionRecord.Findings(size: Self.size, orientation: .up, content: .objects([Self.full])),
      of: ImageFile(path: "a.jpg")
    ).text
    for text in [
      lines.text(of: Self.objects), rows.text(of: Self.objects), annotation, "0 0.5 0.5 1 1 0.5\n",
      "0 0.5 0.5 1 1 0.5 0.5 2 0.1 0.1 1\n",
    ] {
      let sound = Array(text.utf8)
      for _ in 0..<500 {
        var damaged = sound
        for _ in 0..<(1 + random.below(3)) {
          damaged[random.below(damaged.count)] = sound[random.below(sound.count)]
        }
        damaged.removeLast(random.below(2) == 0 ? 0 : random.below(damaged.count))
        try? JSONRecordReader().read(json: damaged) { _ in }
        _ = try? CSVReader().read(text: damaged, name: "r")
        _ = try? VOCReader().read(text: damaged, name: "r")
        for shape in [YOLOLines.Shape.box, .keypoints] {
          _ = try? YOLOLines.read(text: damaged, name: "r", as: shape, size: Self.size, classes: [])
        }
      }
    }
  }
}
