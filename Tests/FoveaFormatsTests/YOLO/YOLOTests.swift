// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaGeometry
import Testing

@testable import FoveaFormats

@Suite struct YOLOTests {
  struct LineCase: CustomTestStringConvertible {
    var box: BoundingBox
    var score: Float?
    var expected: String
    var testDescription: String { expected }
  }

  @Test(arguments: [
    LineCase(
      box: BoundingBox(x: 98.31, y: 5.97, width: 351.21, height: 388.06),
      expected: "7 0.456525 0.500000 0.585350 0.970150\n"),
    LineCase(
      box: BoundingBox(x: 0, y: 0, width: 600, height: 400), score: 0.25,
      expected: "7 0.500000 0.500000 1.000000 1.000000 0.250000\n"),
    LineCase(
      box: BoundingBox(minX: -50, minY: 200, maxX: 300, maxY: 1_000),
      expected: "7 0.250000 0.750000 0.500000 0.500000\n"),
    LineCase(
      box: BoundingBox(x: 900, y: 900, width: 1, height: 1),
      expected: "7 1.000000 1.000000 0.000000 0.000000\n"),
  ])
  func `a line holds centre and size as fractions of the image`(_ test: LineCase) {
    let size = PixelSize(width: 600, height: 400)
    #expect(YOLOLines.line(class: 7, box: test.box, size: size, score: test.score) == test.expected)
  }

  @Test func `an image of size zero does not divide by zero`() {
    let line = YOLOLines.line(
      class: 0, box: BoundingBox(x: 1, y: 1, width: 1, height: 1), size: PixelSize(width: 0, height: 0),
      score: nil)
    #expect(line == "0 0.000000 0.000000 0.000000 0.000000\n")
  }

  static func object(_ label: Label?) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: 0, y: 0, width: 1, height: 1), score: 0.5, labels: label.map { [$0] } ?? [])
  }

  @Test func `numbers are the model's own, and objects without a label follow them`() throws {
    var classes = YOLOClasses(["cat", "", "dog"])
    #expect(try classes.number(of: Self.object(Label(text: "dog", index: 2, confidence: 1))) == 2)
    #expect(classes.names == ["cat", "class 1", "dog"])
    #expect(try classes.number(of: Self.object(nil)) == 3)
    #expect(try classes.number(of: Self.object(nil)) == 3)
    #expect(classes.names == ["cat", "class 1", "dog", "object"])
  }

  @Test func `unnamed classes get their number on first use`() throws {
    var classes = YOLOClasses()
    #expect(try classes.number(of: Self.object(Label(text: nil, index: 2, confidence: 1))) == 2)
    #expect(classes.names == ["class 0", "class 1", "class 2"])
    var bare = YOLOClasses()
    #expect(try bare.number(of: Self.object(nil)) == 0)
    #expect(bare.names == ["object"])
  }

  @Test(arguments: [-1, YOLOClasses.limit, .max])
  func `an impossible class is an error`(_ index: Int) {
    var classes = YOLOClasses(["cat"])
    let error = #expect(throws: FoveaError.self) {
      try classes.number(of: Self.object(Label(text: "x", index: index, confidence: 1)))
    }
    #expect(error?.code.rawValue == "yolo-class-invalid")
    #expect(error?.message == "the model returned class \(index); 0 to 99999 can be written")
  }

  @Test func `lists of names are exactly this`() {
    let classes = YOLOClasses(["traffic \"light\"", "a\\b: #c", "no", "x\ny\u{202E}\u{7F}"])
    #expect(classes.text == "traffic \"light\"\na\\b: #c\nno\nx\\ny\\u{202e}\\u{7f}\n")
    #expect(
      classes.yaml == "train: images\nval: images\nnc: 4\nnames:\n  0: \"traffic \\\"light\\\"\"\n"
        + "  1: \"a\\\\b: #c\"\n  2: \"no\"\n  3: \"x\\u000ay\u{202E}\\u007f\"\n")
  }

  @Test func `a resumed run keeps the meaning of numbers`() throws {
    var classes = YOLOClasses(["cat", "dog"])
    try classes.join([])
    try classes.join(["cat", "dog", "object"])
    #expect(classes.names == ["cat", "dog", "object"])
    #expect(try classes.number(of: Self.object(nil)) == 2)
    let error = #expect(throws: FoveaError.self) { try classes.join(["cat", "bird"]) }
    #expect(error?.code.rawValue == "resume-classes-differ")
    #expect(error?.message == "class 1 is 'dog', but was 'bird' in the earlier run")
  }
}
