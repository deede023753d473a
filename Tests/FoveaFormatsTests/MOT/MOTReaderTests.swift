// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaFormats
import FoveaGeometry
import Testing

@Suite struct MOTReaderTests {
  static func read(
    _ text: String, as content: MOTReader.Content = .detections, columns: Int = 6
  ) throws(EvaluationError) -> TrackFrames {
    try MOTReader(content, minimumColumns: columns).read(text: Array(text.utf8), name: "'f.txt'")
  }

  struct FormCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var frames = [1]
    var boxes = [BoundingBox(x: 1, y: 2, width: 3, height: 4)]
  }

  @Test(arguments: [
    FormCase(testDescription: "commas", text: "1,-1,1,2,3,4,0.5,-1,-1,-1\n"),
    FormCase(testDescription: "no line end", text: "1,-1,1,2,3,4,0.5"),
    FormCase(testDescription: "carriage returns and blank lines", text: "\r\n1,-1,1,2,3,4,0.5\r\n\r\n  \r\n"),
    FormCase(testDescription: "a byte order mark", text: "\u{FEFF}1,-1,1,2,3,4,0.5\n"),
    FormCase(testDescription: "spaces and tabs", text: "  1 -1\t1 2  3 4 0.5 \n"),
    FormCase(testDescription: "commas and spaces", text: "1, -1 , 1,2 ,3,4,0.5\n"),
    FormCase(testDescription: "a comma at the end", text: "1,-1,1,2,3,4,0.5,\n"),
    FormCase(testDescription: "fractions and exponents", text: "1.0,-1,+1,.2e1,300e-2,4.,5E-1\n"),
    FormCase(testDescription: "text in columns that are not read", text: "1,-1,1,2,3,4,0.5,a,b\n"),
    FormCase(
      testDescription: "outside the image", text: "7,-1,-100.5,-20,1e5,4,0.5\n", frames: [7],
      boxes: [BoundingBox(x: -100.5, y: -20, width: 1e5, height: 4)]),
    FormCase(
      testDescription: "the largest frame number", text: "2147483647,-1,1,2,3,4,1\n",
      frames: [2_147_483_647]),
    FormCase(testDescription: "an empty file", text: "", frames: [], boxes: []),
    FormCase(testDescription: "only blank lines", text: "\n \n\r\n", frames: [], boxes: []),
  ])
  func `a file may have many forms`(_ test: FormCase) throws {
    let found = try Self.read(test.text)
    #expect(found.frames == test.frames)
    #expect(found.annotations.map(\.box) == test.boxes)
    #expect(found.annotations.allSatisfy { $0.identity == -1 })
  }

  struct WarningCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var kept: Int
    var warnings: [String]
  }

  @Test(arguments: [
    WarningCase(
      testDescription: "nothing", text: "", kept: 0,
      warnings: ["'f.txt': the file has no boxes; nothing was read"]),
    WarningCase(
      testDescription: "unordered frames", text: "2,-1,1,2,3,4,1\n1,-1,1,2,3,4,1\n3,-1,1,2,3,4,1\n",
      kept: 3,
      warnings: ["'f.txt' line 2: frame 1 comes after frame 2; the boxes are sorted by frame"]),
    WarningCase(
      testDescription: "invalid numbers",
      text: "1,-1,nan,2,3,4,1\n1,-1,1,2,inf,4,1\n1,-1,1,2,3,4,-NaN\n",
      kept: 0,
      warnings: [
        "'f.txt' line 1: x is nan (and 2 more lines); the box is left out",
        "'f.txt': the file has no boxes; nothing was read",
      ]),
    WarningCase(
      testDescription: "numbers beyond the range",
      text: "1,-1,1,2,1e999,4,1\n1,-1,1,2,1e200,1e200,1\n1,-1,1,2,3,4,1",
      kept: 1, warnings: ["'f.txt' line 1: width is inf (and 1 more line); the box is left out"]),
    WarningCase(
      testDescription: "a box too large", text: "1,-1,1,2,1e200,1e200,1\n1,-1,1,2,3,4,1", kept: 1,
      warnings: ["'f.txt' line 1: the box is too large: 1e+200 by 1e+200 pixels; the box is left out"]),
    WarningCase(
      testDescription: "no size", text: "1,-1,1,2,-3,4,1\n1,-1,1,2,3,0,1\n1,-1,1,2,3,4,1\n", kept: 1,
      warnings: ["'f.txt' line 1: width is -3.0 (and 1 more line); the box is left out"]),
    WarningCase(
      testDescription: "no height", text: "1,-1,1,2,3,-0.5,1\n1,-1,1,2,3,4,1\n", kept: 1,
      warnings: ["'f.txt' line 1: height is -0.5; the box is left out"]),
    WarningCase(
      testDescription: "scores out of range", text: "1,-1,1,2,3,4,1\n1,-1,1,2,3,4,87.5\n1,-1,1,2,3,4,-2\n",
      kept: 3,
      warnings: ["'f.txt' line 2: score is 87.5, outside 0 to 1 (and 1 more line); the score is kept"]),
    WarningCase(
      testDescription: "a score beyond all numbers", text: "1,-1,1,2,3,4,1e39\n1,-1,1,2,3,4,34.5\n", kept: 1,
      warnings: [
        "'f.txt' line 1: the score is too large: 1e+39; the box is left out",
        "'f.txt' line 2: score is 34.5, outside 0 to 1; the score is kept",
      ]),
    WarningCase(
      testDescription: "no scores", text: "1,-1,1,2,3,4\n2,-1,1,2,3,4\n", kept: 2,
      warnings: ["'f.txt' line 1: no score, the seventh column (and 1 more line); the score 1 is used"]),
  ])
  func `odd detections are reported`(_ test: WarningCase) throws {
    let found = try Self.read(test.text)
    #expect(found.count == test.kept)
    #expect(found.warnings.map(\.description) == test.warnings)
  }

  struct ErrorCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var content = MOTReader.Content.results
    var columns = 6
    var code = EvaluationCode.invalidLine
    var message: String
  }

  @Test(arguments: [
    ErrorCase(
      testDescription: "too few columns", text: "1,1,1,2,3,4\n\n1,2,1,2,3\n",
      message: "'f.txt' line 3: 5 columns; 6 are needed: frame, identity, x, y, width, height"),
    ErrorCase(
      testDescription: "ground truth without classes", text: "1,1,1,2,3,4,1\n", content: .groundTruth,
      columns: 8,
      message:
        "'f.txt' line 1: 7 columns; 8 are needed: frame, identity, x, y, width, height, score, class"),
    ErrorCase(
      testDescription: "a header line", text: "frame,id,x,y,w,h\n",
      message: "'f.txt' line 1: frame is 'frame', not a number"),
    ErrorCase(
      testDescription: "a word in detections", text: "1,-1,1,2,3,4x,1\n", content: .detections,
      message: "'f.txt' line 1: height is '4x', not a number"),
    ErrorCase(
      testDescription: "an empty column", text: "1,1,,2,3,4\n",
      message: "'f.txt' line 1: x is '', not a number"),
    ErrorCase(
      testDescription: "frame 0", text: "0,1,1,2,3,4\n", message: "'f.txt' line 1: frame is 0"),
    ErrorCase(
      testDescription: "frame 0 of detections", text: "0,-1,1,2,3,4,1\n", content: .detections,
      message: "'f.txt' line 1: frame is 0"),
    ErrorCase(
      testDescription: "a negative frame", text: "-3,1,1,2,3,4\n", message: "'f.txt' line 1: frame is -3"),
    ErrorCase(
      testDescription: "half a frame", text: "1.5,1,1,2,3,4\n",
      message: "'f.txt' line 1: frame is '1.5', not a whole number from 1 to 2147483647"),
    ErrorCase(
      testDescription: "a frame beyond the range", text: "99999999999999999999,1,1,2,3,4\n",
      message:
        "'f.txt' line 1: frame is '99999999999999999999', not a whole number from 1 to 2147483647"),
    ErrorCase(
      testDescription: "no frame", text: "nan,1,1,2,3,4\n",
      message: "'f.txt' line 1: frame is 'nan', not a whole number from 1 to 2147483647"),
    ErrorCase(
      testDescription: "detections instead of results", text: "1,-1,1,2,3,4,1\n",
      message: "'f.txt' line 1: identity is '-1', not a whole number of at least 0"),
    ErrorCase(
      testDescription: "half an identity", text: "1,2.5,1,2,3,4\n",
      message: "'f.txt' line 1: identity is '2.5', not a whole number of at least 0"),
    ErrorCase(
      testDescription: "an infinite width", text: "1,1,1,2,inf,4\n", message: "'f.txt' line 1: width is inf"),
    ErrorCase(
      testDescription: "a negative height", text: "1,1,1,2,3,-4\n", content: .groundTruth,
      message: "'f.txt' line 1: height is -4.0"),
    ErrorCase(
      testDescription: "a duplicate identity", text: "2,7,1,2,3,4\n1,7,1,2,3,4\n2,8,1,2,3,4\n2,7,5,6,7,8\n",
      code: .duplicateIdentity,
      message: "'f.txt': identity 7 is twice in frame 2, in line 1 and line 4"),
    ErrorCase(
      testDescription: "an invalid class", text: "1,1,1,2,3,4,1,x\n", content: .groundTruth,
      message: "'f.txt' line 1: class is 'x', not a number"),
    ErrorCase(
      testDescription: "a number with a comma in words", text: "1;1;1;2;3;4\n",
      message: "'f.txt' line 1: 1 column; 6 are needed: frame, identity, x, y, width, height"),
  ])
  func `an unreadable line is an error with its number`(_ test: ErrorCase) {
    let error = #expect(throws: EvaluationError.self) {
      try Self.read(test.text, as: test.content, columns: test.columns)
    }
    #expect(error?.code == test.code)
    #expect(error?.message == test.message)
    #expect(error?.remedy.description.isEmpty == false)
  }

  @Test func `bytes that are not text are shown as numbers`() {
    let error = #expect(throws: EvaluationError.self) {
      try MOTReader(.results).read(text: [0x31, 0x2C, 0xFF, 0x00] + Array(",1,2,3,4".utf8), name: "'f.txt'")
    }
    #expect(error?.message == "'f.txt' line 1: identity is '\\xFF\\x0', not a number")
  }

  @Test(arguments: [[0xFF, 0xFE, 0x31, 0, 0x2C, 0], [0xFE, 0xFF, 0, 0x31, 0, 0x2C]] as [[UInt8]])
  func `UTF-16 is named`(_ bytes: [UInt8]) {
    let error = #expect(throws: EvaluationError.self) {
      try MOTReader(.detections).read(text: bytes, name: "'f.txt'")
    }
    #expect(error?.message == "'f.txt' line 1: UTF-16 text by its byte order mark; UTF-8 is needed")
  }

  @Test func `an endless line is rejected`() {
    let error = #expect(throws: EvaluationError.self) {
      try MOTReader(.results).read(text: [UInt8](repeating: 0x20, count: 70_000), name: "'f.txt'")
    }
    #expect(error?.message == "'f.txt' line 1: more than 65536 bytes without a line end")
  }

  @Test func `boxes keep the order of the file within a frame`() throws {
    let found = try Self.read(
      "3,1,1,0,1,1,1\n1,2,2,0,1,1,1\n3,3,3,0,1,1,1\n2,4,4,0,1,1,1\n1,5,5,0,1,1,1\n", as: .results)
    #expect(found.frames == [1, 2, 3])
    #expect(found.annotations.map(\.identity) == [2, 5, 4, 1, 3])
    #expect(found.annotations(inFrame: 3).map(\.identity) == [1, 3])
    #expect(found.annotations(inFrame: 4).isEmpty)
    #expect(found.annotations(inFrame: 0).isEmpty)
    #expect(found.warnings.isEmpty)
  }

  @Test func `ground truth has flag, class and visibility`() throws {
    let found = try Self.read("1,1,1,2,3,0,0,12,0.25\n1,2,1,2,3,4,1,1,1\n", as: .groundTruth, columns: 8)
    #expect(found.annotations.map(\.score) == [0, 1])
    #expect(found.annotations.map(\.classID) == [12, 1])
    #expect(found.annotations.map(\.visibility) == [0.25, 1])
    #expect(found.columnCount == 9)
  }

  @Test func `a missing file is an error with the reason`() {
    let error = #expect(throws: EvaluationError.self) { try MOTReader(.results).read(path: "/none/f.txt") }
    #expect(error?.code == .unreadable)
    #expect(error?.message == "'/none/f.txt' cannot be read: No such file or directory")
  }

  @Test func `a duplicate identity in an in-memory frame is named by its position`() throws {
    let box = TrackAnnotation(identity: 3, box: BoundingBox(x: 0, y: 0, width: 1, height: 1))
    let error = #expect(throws: EvaluationError.self) {
      try TrackingEvaluator(benchmark: .plain).evaluate(
        TrackFrames([[], [box, box]]), groundTruth: TrackFrames([]))
    }
    #expect(error?.message == "The tracks: identity 3 is twice in frame 2, in box 1 and box 2")
  }
}
