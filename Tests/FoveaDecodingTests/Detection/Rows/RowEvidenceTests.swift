// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// Outputs whose shapes leave open what they hold: the values decide, or an error names what can be given.
@Suite struct RowEvidenceTests {
  typealias Output = RowEncodingTests.Output

  /// The boxes of `RowEncodingTests.rows` next to four classes.
  static let fourScores = RowEncodingTests.rows.map { $0.scores + [0.01] }

  @Test(arguments: RowEncodingTests.boxes.indices, [false, true])
  func `boxes and scores of four columns each are distinguished by their values`(
    _ index: Int, _ isReversed: Bool
  ) throws {
    for across in [false, true] {
      let lists = [RowEncodingTests.boxes[index].1, Self.fourScores].map {
        Output.list($0, isTransposed: across)
      }
      let outputs = isReversed ? lists.reversed() : lists
      let decoder = try FamilyReference.model(input: [1, 64, 96, 3], outputs.map(\.shape)).decoder()
      #expect(decoder.family == .yoloPair)
      let found = try decoder.decode(outputs.map(\.values), threshold: 0.3, limit: 9)
      #expect(found.map(\.classIndex) == [2, 0])
      let box = try #require(found.first?.box.pixels(in: PixelSize(width: 96, height: 64)))
      #expect(box.iou(with: BoundingBox(x: 26, y: 20, width: 20, height: 16)) > 0.999)
    }
  }

  @Test func `boxes and scores alike that are an SSD's or a pair's are an error with a family to give`()
    throws
  {
    let rows = 420
    #expect(AnchorLayout.ssdCount(width: 160, height: 128) == rows)
    let model = FamilyReference.model(input: [1, 128, 160, 3], [[1, rows, 4], [1, rows, 4]])
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(error?.code == .ambiguousModel)
    #expect(
      error?.message.hasPrefix("The boxes and the scores of 'm.tflite' cannot be distinguished: ") == true)
    let export =
      "Export an SSD with TFLite_Detection_PostProcess, or give its outputs the names 'location' and 'score'"
      + " in the metadata"
    #expect(
      error?.remedy.description
        == "Name the family if it is yolo-pair (Options.family = DetectorFamily(\"yolo-pair\")). " + export)
    #expect(try model.decoder(family: DetectorFamily(name: "yolo-pair")).family == .yoloPair)
    let anchors = FamilyReference.model(input: [1, 300, 300, 3], [[1, 1917, 4], [1, 1917, 4]])
    let other = #expect(throws: DetectionError.self) { try anchors.decoder() }
    #expect(other?.code == .ambiguousModel)
    #expect(other?.remedy.description == export)
  }

  @Test(arguments: [DetectorFamily.detr, .detrSoftmax], [false, true])
  func `queries of four columns are distinguished by their values`(
    _ family: DetectorFamily, _ isReversed: Bool
  ) throws {
    let boxes = QueryTests.answer()[0]
    let background: [Float] = [-4, -5, -5, family == .detr ? -6 : 3]
    var logits = (0..<100).flatMap { _ in background }
    logits.replaceSubrange(396..<400, with: [-4, 2, -5, -6])
    for scores in [logits, family == .detr ? logits.map { $0 > 0 ? 0.9 : 0.01 } : logits] {
      let model = FamilyReference.model(input: [1, 64, 64, 3], [[1, 100, 4], [1, 100, 4]])
      let outputs = isReversed ? [scores, boxes] : [boxes, scores]
      let found = try model.decoder(family: family).decode(outputs, threshold: 0.3, limit: 9)
      #expect(found.map(\.classIndex) == [1])
      #expect((found.first?.box.minX ?? 0) > 0.85)
    }
    let error = #expect(throws: DetectionError.self) {
      try FamilyReference.model(input: [1, 64, 64, 3], [[1, 100, 4], [1, 100, 4]]).decoder()
    }
    #expect(error?.code == .ambiguousFamily)
    #expect(
      error?.remedy.description.hasPrefix("Name the family, detr or rt-detr or detr-softmax (Options.family)")
        == true)
  }

  @Test(arguments: [0, 1])
  func `quantised boxes of queries are those in 0…1, unlike other boxes`(_ index: Int) throws {
    var outputs = [Float(1) / 256, 0.1].map { scale in
      TensorDescription(
        name: "\(scale)", elementType: .int8, shape: [1, 100, 4],
        quantization: .perTensor(scale: scale, zeroPoint: scale < 0.1 ? -128 : 0))
    }
    if index == 1 { outputs.reverse() }
    var model = FamilyReference.model(input: [1, 64, 64, 3], [[1, 100, 4], [1, 100, 4]])
    model.signature.outputs = outputs
    let boxes = RowBinding(model, isAsked: true)?.layouts(of: .detr).first?.box?.runs.first
    #expect(boxes?.output == index)
    model = FamilyReference.model(input: [1, 64, 96, 3], [[1, 126, 4], [1, 126, 4]])
    model.signature.outputs = outputs.map { output in
      var output = output
      output.shape = [1, 126, 4]
      return output
    }
    #expect(RowBinding(model)?.layouts(of: .yoloPair).first?.box?.runs.first?.output == 1 - index)
  }

  @Test(arguments: [
    [[1, 123, 4], [1, 123, 80]], [[1, 123, 91], [1, 123, 4]], [[1, 1000, 4], [1, 1000, 1]],
  ])
  func `another number of queries is near to DETR`(_ outputs: [[Int]]) throws {
    let model = FamilyReference.model(input: [1, 640, 640, 3], outputs)
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(error?.code == .unknownFamily)
    #expect(error?.message.contains("The nearest is 'detr', which has ") == true, "\(error?.message ?? "")")
    #expect(
      error?.remedy.description
        == "Name the family if it is a DETR: Options.family = DetectorFamily(\"detr\"),"
        + " Options.family = DetectorFamily(\"rt-detr\") for RT-DETR, D-FINE and DEIM, or"
        + " Options.family = DetectorFamily(\"detr-softmax\") if its last class stands for no object."
        + " Export an SSD with TFLite_Detection_PostProcess, or with the anchors in its metadata")
    #expect(try model.decoder(family: DetectorFamily(name: "detr")).family == .detr)
  }

  @Test(arguments: [[[1, 1001, 4], [1, 1001, 80]], [[1, 1900, 4], [1, 1900, 80]]])
  func `more rows than a DETR has are near to an SSD`(_ outputs: [[Int]]) throws {
    let error = #expect(throws: DetectionError.self) {
      try FamilyReference.model(input: [1, 640, 640, 3], outputs).decoder()
    }
    #expect(error?.message.contains("The nearest is 'ssd-anchors', which has ") == true)
  }

  @Test(arguments: RowEncodingTests.boxes.indices)
  func `edges in rows of YOLOv5 or YOLOX are an error with the family that reads them`(_ index: Int) throws {
    let (name, boxes) = RowEncodingTests.boxes[index]
    for (perCell, family, other) in [
      (3, DetectorFamily.yolov5, DetectorFamily.yolov7Joined), (1, .yolox, .yolov8),
    ] {
      // YOLOX has pixels.
      guard perCell == 3 || name.hasSuffix("pixels") else { continue }
      let rows = zip(boxes, RowEncodingTests.scores).flatMap {
        Array(repeating: $0 + $1, count: perCell)
      }
      let output = Output.list(rows)
      let model = FamilyReference.model(input: [1, 64, 96, 3], [output.shape])
      let decoder = try model.decoder(family: family)
      if name.hasPrefix("edges") {
        for threshold in [Float(0.3), 1] {
          let error = #expect(throws: DetectionError.self) {
            try decoder.decode([output.values], threshold: threshold, limit: 9)
          }
          #expect(error?.code == .invalidOutput)
          #expect(
            error?.message
              == "'m.tflite' of the family '\(family)' returned boxes given by their edges, not by"
              + " centre and size: its rows seem to be those of \(other), without objectness")
          #expect(
            error?.remedy.description.hasPrefix(
              "Name the family '\(other)' (Options.family = DetectorFamily(\"\(other)\")), or ") == true)
        }
      } else {
        #expect(try decoder.decode([output.values], threshold: 0.3, limit: 9).count <= 2)
      }
      let named = try model.decoder(family: DetectorFamily(name: other.name))
      #expect(named.family == other && named.classCount == 3)
      let found = try named.decode([output.values], threshold: 0.3, limit: 9)
      #expect(found.map(\.classIndex) == [2, 0])
      let box = try #require(found.first?.box.pixels(in: PixelSize(width: 96, height: 64)))
      #expect(box.iou(with: BoundingBox(x: 26, y: 20, width: 20, height: 16)) > 0.999)
    }
  }

  @Test func `an objectness of 1 in all rows is an error with the family that reads them`() throws {
    let rows = zip(RowEncodingTests.boxes[0].1, RowEncodingTests.scores).map { $0 + [1] + $1 }
    var model = FamilyReference.model(input: [1, 64, 96, 3], [Output.list(rows).shape])
    model.labelCount = 3
    let decoder = try model.decoder()
    #expect(decoder.family == .yolox)
    let values = rows.flatMap { $0 }
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([values], threshold: 0.3, limit: 9)
    }
    #expect(
      error?.message
        == "'m.tflite' of the family 'yolox' returned an objectness of 1 in every row, as a yolov6 does,"
        + " whose image has another fit, order of colours and normalisation")
    #expect(
      error?.remedy.description == "Name the family 'yolov6' (Options.family = DetectorFamily(\"yolov6\"))")
    let named = try model.decoder(family: .yolov6)
    #expect(named.input.letterbox == DetectorFamily.yolov5.input.letterbox && !named.input.isBGR)
    #expect(try named.decode([values], threshold: 0.3, limit: 9).map(\.classIndex) == [2, 0])
    // One row with another objectness is a YOLOX.
    var other = values
    other[4] = 0.5
    #expect(try decoder.decode([other], threshold: 0.3, limit: 9).map(\.classIndex) == [2, 0])
  }

  /// An answer whose scores are all full.
  struct Full: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var outputs: [Output]
    var family: DetectorFamily
  }

  static let ones = RowEncodingTests.rows.map { _ in [Float(1), 1, 1] }
  static let full = [
    Full(
      testDescription: "a pair", outputs: [.list(RowEncodingTests.boxes[1].1), .list(ones)], family: .yoloPair
    ),
    Full(
      testDescription: "a pair of one class",
      outputs: [.list(RowEncodingTests.boxes[0].1), .list(ones.map { [$0[0]] })], family: .yoloPair),
    Full(
      testDescription: "a split head", outputs: [.list(RowEncodingTests.distances), .list(ones)],
      family: .yoloSplit),
    Full(
      testDescription: "joined columns of one class",
      outputs: [.list(RowEncodingTests.boxes[0].1.map { $0 + [1] }, isTransposed: true)], family: .yolov8),
    Full(
      testDescription: "joined columns of three classes, three a cell",
      outputs: [
        .list(
          zip(RowEncodingTests.boxes[0].1, ones).flatMap { Array(repeating: $0 + $1, count: 3) },
          isTransposed: true)
      ], family: .yolov7Joined),
    Full(
      testDescription: "rows with objectness",
      outputs: [
        .list(
          zip(RowEncodingTests.boxes[0].1, ones).flatMap { Array(repeating: $0 + [1] + $1, count: 3) })
      ], family: .yolov5),
    Full(
      testDescription: "the best objects",
      outputs: [.list(RowEncodingTests.boxes[1].1[..<100].map { $0 + [1, 2] })], family: .yolov10),
    Full(
      testDescription: "queries",
      outputs: [
        Output(shape: [1, 100, 4], values: QueryTests.answer()[0]),
        Output(shape: [1, 100, 2], values: Array(repeating: 1, count: 200)),
      ], family: .detr),
    Full(
      testDescription: "logits of queries",
      outputs: [
        Output(shape: [1, 100, 4], values: QueryTests.answer()[0]),
        Output(shape: [1, 100, 3], values: (0..<100).flatMap { _ in [Float(9), -9, -9] }),
      ], family: .detrSoftmax),
  ]

  @Test(arguments: full)
  func `full scores in all rows are an error, because no image causes them`(_ test: Full) throws {
    let model = FamilyReference.model(input: [1, 64, 96, 3], test.outputs.map(\.shape))
    let decoder = try model.decoder(family: test.family)
    for threshold in [Float(0.3), 1] {
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode(test.outputs.map(\.values), threshold: threshold, limit: 9)
      }
      #expect(error?.code == .invalidOutput)
      #expect(error?.message.contains(" rows, which no image causes") == true, "\(error?.message ?? "")")
    }
  }
}
