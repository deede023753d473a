// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime
import Testing

@testable import FoveaDecoding

@Suite struct YOLORecognitionTests {
  static func signature(
    _ outputs: [[Int]], input: [Int] = [1, 640, 640, 3], type: ElementType = .float32
  ) -> ModelSignature {
    ModelSignature(
      key: nil, inputs: [TensorDescription(name: "image", elementType: .float32, shape: input)],
      outputs: outputs.enumerated().map {
        TensorDescription(name: "out\($0)", elementType: type, shape: $1)
      })
  }

  static func recognizer(_ signature: ModelSignature, labels: Int? = nil) -> DetectorRecognizer {
    var recognizer = DetectorRecognizer(modelName: "m.tflite", signature: signature, metadata: nil)
    recognizer.labelCount = labels
    return recognizer
  }

  struct ShapeCase: Sendable, CustomTestStringConvertible {
    var output: [Int]
    var input = [1, 640, 640, 3]
    var labels: Int?
    var asked: DetectorFamily?
    var family: DetectorFamily
    var classes: Int?
    var testDescription: String { "\(input) → \(output) is \(family)" }
  }

  static let shapes = [
    ShapeCase(output: [1, 8400, 85], family: .yolox, classes: 80),
    ShapeCase(output: [1, 3549, 85], input: [1, 416, 416, 3], family: .yolox, classes: 80),
    ShapeCase(output: [1, 8400, 84], family: .yolov8, classes: 80),
    ShapeCase(output: [1, 8400, 8], labels: 3, family: .yolox, classes: 3),
    ShapeCase(output: [1, 8400, 8], labels: 4, family: .yolov8, classes: 4),
    ShapeCase(output: [1, 8400, 85], labels: 81, family: .yolov8, classes: 81),
    ShapeCase(output: [1, 8400, 8], asked: .yolox, family: .yolox, classes: 3),
    ShapeCase(output: [1, 8400, 5], family: .yolov8, classes: 1),
    ShapeCase(output: [1, 25200, 85], family: .yolov5, classes: 80),
    ShapeCase(output: [1, 25200, 6], family: .yolov5, classes: 1),
    ShapeCase(output: [1, 84, 8400], family: .yolov8, classes: 80),
    ShapeCase(output: [1, 6, 8400], family: .yolov8, classes: 2),
    ShapeCase(output: [1, 84, 8400], input: [1, 3, 640, 640], family: .yolov8, classes: 80),
    ShapeCase(output: [1, 84, 2520], input: [1, 384, 320, 3], family: .yolov8, classes: 80),
    ShapeCase(output: [1, 84, 34_000], family: .yolov8, classes: 80),
    ShapeCase(output: [1, 300, 6], family: .yolov10, classes: nil),
    ShapeCase(output: [1, 8400, 6], labels: 1, family: .yolox, classes: 1),
    ShapeCase(output: [1, 77, 9], asked: .yolov5, family: .yolov5, classes: 4),
    ShapeCase(output: [1, 60, 85], asked: .yolov5, family: .yolov5, classes: 80),
    ShapeCase(output: [1, 9, 77], asked: .yolov8, family: .yolov8, classes: 5),
    ShapeCase(output: [1, 2000, 6], asked: .yolov10, family: .yolov10, classes: nil),
  ]

  @Test(arguments: shapes)
  func `shapes determine the family, and labels if shapes do not`(_ test: ShapeCase) throws {
    let decoder = try Self.recognizer(Self.signature([test.output], input: test.input), labels: test.labels)
      .decoder(family: test.asked)
    #expect(decoder.family == test.family)
    #expect(decoder.classCount == test.classes)
    #expect(decoder.hasClasses)
    #expect(decoder.maximumDetections <= 300)
  }

  @Test(arguments: [ElementType.uint8, .int8])
  func `quantised outputs are read too`(_ type: ElementType) throws {
    #expect(try Self.recognizer(Self.signature([[1, 84, 8400]], type: type)).decoder().family == .yolov8)
  }

  @Test func `shapes that fit several families are an error that lists them`() {
    let error = #expect(throws: DetectionError.self) {
      try Self.recognizer(Self.signature([[1, 8400, 8]])).decoder()
    }
    #expect(error?.code == .ambiguousFamily)
    #expect(
      error?.description == """
        'm.tflite' can be of several families: yolox with 3 classes, or yolov8 with 4 classes. It has 1 input: \
        'image' float32 [1, 640, 640, 3]; 1 output: 'out0' float32 [1, 8400, 8]. Name the family, yolox or yolov8 \
        (Options.family), or give the label file: its number of lines decides.
        """)
  }

  @Test(arguments: [
    ([1, 3549, 85], 81, "yolox with 80 classes, or yolov8 with 81 classes. The label file has 81 lines"),
    ([1, 3549, 84], 79, "yolox with 79 classes, or yolov8 with 80 classes. The label file has 79 lines"),
  ])
  func `a label file with one line too many or too few does not change the family`(
    _ output: [Int], _ lines: Int, _ text: String
  ) throws {
    var recognizer = Self.recognizer(Self.signature([output], input: [1, 416, 416, 3]), labels: lines)
    recognizer.hasLooseLabels = true
    let error = #expect(throws: DetectionError.self) { try recognizer.decoder() }
    #expect(error?.code == .ambiguousFamily)
    #expect(
      error?.message.hasPrefix("'m.tflite' can be of several families: \(text), COCO has 80 classes. It has ")
        == true)
    #expect(
      error?.remedy
        == "Name the family, yolox or yolov8 (Options.family), if the label file is right, else correct it")
    #expect(try recognizer.decoder(family: .yolov8).family == .yolov8)
    recognizer.labelCount = 80
    #expect(try recognizer.decoder().classCount == 80)
  }

  @Test(arguments: [
    ([1, 8400, 8], 17, true, "or yolov8 with 4 classes. The label file has 17 lines"),
    ([1, 8400, 8], 1, true, "or yolov8 with 4 classes. The label file has 1 line"),
    ([1, 8400, 8], 17, false, "or yolov8 with 4 classes. The model has 17 labels"),
    ([1, 56, 8400], 5, true, "or yolov8-pose with 1 class. The label file has 5 lines"),
  ])
  func `labels that fit none of several readings do not decide, and the error reports it`(
    _ output: [Int], _ lines: Int, _ isFile: Bool, _ text: String
  ) {
    var recognizer = Self.recognizer(Self.signature([output]), labels: lines)
    recognizer.hasLooseLabels = isFile
    let error = #expect(throws: DetectionError.self) { try recognizer.decoder() }
    #expect(error?.code == .ambiguousFamily)
    #expect(
      error?.message.contains(", \(text), which fits none of these. It has ") == true,
      "\(error?.message ?? "")")
    let remedy = error?.remedy.description ?? ""
    #expect(
      remedy.hasSuffix(", or give a label file with as many lines as one of these has classes"), "\(remedy)")
  }

  struct BackgroundCase: Sendable, CustomTestStringConvertible {
    var output = [1, 8400, 8]
    var input = [1, 640, 640, 3]
    var lines: Int
    var name: SpareBackground
    var family: DetectorFamily
    var classes: Int
    var testDescription: String { "\(output), \(lines) labels, \(name)" }
  }

  @Test(arguments: [
    BackgroundCase(lines: 3, name: .certain, family: .yolox, classes: 3),
    BackgroundCase(lines: 5, name: .certain, family: .yolov8, classes: 4),
    BackgroundCase(lines: 3, name: .blank, family: .yolox, classes: 3),
    BackgroundCase(lines: 5, name: .blank, family: .yolov8, classes: 4),
    BackgroundCase(output: [1, 56, 8400], lines: 2, name: .blank, family: .yolov8Pose, classes: 1),
    BackgroundCase(lines: 4, name: .possible, family: .yolov8, classes: 4),
    BackgroundCase(lines: 5, name: .possible, family: .yolov8, classes: 4),
    BackgroundCase(output: [1, 56, 8400], lines: 2, name: .certain, family: .yolov8Pose, classes: 1),
    BackgroundCase(
      output: [1, 3549, 84], input: [1, 416, 416, 3], lines: 81, name: .certain, family: .yolov8, classes: 80),
    BackgroundCase(
      output: [1, 3549, 85], input: [1, 416, 416, 3], lines: 80, name: .possible, family: .yolox, classes: 80),
  ])
  func `a background among the labels may be one label more than the classes`(
    _ test: BackgroundCase
  ) throws {
    var recognizer = Self.recognizer(Self.signature([test.output], input: test.input), labels: test.lines)
    recognizer.hasLooseLabels = true
    recognizer.spareBackground = test.name
    let decoder = try recognizer.decoder()
    #expect(decoder.family == test.family)
    #expect(decoder.classCount == test.classes)
  }

  @Test(arguments: [
    ([1, 8400, 8], 4, true, "yolov8 with 4 classes. The label file has 4 lines"),
    ([1, 8400, 8], 4, false, "yolov8 with 4 classes. The model has 4 labels"),
    ([1, 8400, 84], 80, true, "yolov8 with 80 classes. The label file has 80 lines"),
  ])
  func `labels that fit one family with the background and another without do not decide`(
    _ output: [Int], _ lines: Int, _ isFile: Bool, _ text: String
  ) throws {
    var recognizer = Self.recognizer(Self.signature([output]), labels: lines)
    recognizer.hasLooseLabels = isFile
    recognizer.spareBackground = .certain
    let error = #expect(throws: DetectionError.self) { try recognizer.decoder() }
    #expect(error?.code == .ambiguousFamily)
    #expect(
      error?.message.contains(", or \(text), one of them the background. It has ") == true,
      "\(error?.message ?? "")")
    #expect(
      error?.remedy.description.hasSuffix(
        ", or give a label file without the background if it is not one of the classes") == true)
    #expect(try recognizer.decoder(family: .yolox).classCount == lines - 1)
    #expect(try recognizer.decoder(family: .yolov8).classCount == lines)
    recognizer.spareBackground = .blank
    let blank = #expect(throws: DetectionError.self) { try recognizer.decoder() }
    #expect(blank?.message.contains(", or \(text), the first of them blank. It has ") == true)
    #expect(
      blank?.remedy.description.hasSuffix(
        ", or remove the blank line if the classes begin with the next, else name that class") == true)
  }

  struct NearestCase: Sendable, CustomTestStringConvertible {
    var outputs: [[Int]]
    var input = [1, 640, 640, 3]
    var type = ElementType.float32
    var family: DetectorFamily
    var difference: String
    var testDescription: String { "\(outputs)" }
  }

  static let nearest = [
    NearestCase(
      outputs: [[1, 8401, 85]], family: .yolov5,
      difference:
        "neither 8401 nor 85 is the number of cells of an input of 640 × 640 pixels (8400, or 25200 rows with"
        + " three anchors)"),
    NearestCase(
      outputs: [[1, 84, 100]], family: .yolov8,
      difference:
        "neither 84 nor 100 is the number of cells of an input of 640 × 640 pixels (8400, or 25200 rows with"
        + " three anchors)"),
    NearestCase(
      outputs: [[2, 84, 8400]], family: .yolov8, difference: "the output is for 2 images at a time"),
    NearestCase(
      outputs: [[1, 8400, 4]], family: .yolov8,
      difference: "a row has 4 numbers, fewer than a box and its scores take"),
    NearestCase(
      outputs: [[1, 116, 8400], [1, 100, 100, 32]], family: .yolov8,
      difference:
        "there is a second output, as models that also find masks have, but not of a quarter of the input's side"
    ),
    NearestCase(
      outputs: [[1, 80, 80, 255], [1, 40, 40, 255], [1, 20, 20, 255]], family: .yolov5,
      difference: "the 3 outputs are the feature maps themselves, not joined and not decoded"),
    NearestCase(
      outputs: [[1, 77, 4], [1, 77, 2]], family: .detr,
      difference:
        "there are 77 rows, as a DETR may have for its queries; anchors known at 640 × 640 are 8028 (SSD with"
        + " six maps), 51150 (SSD with a feature pyramid) and 76725 (EfficientDet)"),
    NearestCase(
      outputs: [[1, 1077, 4], [1, 1077, 2]], family: .anchorSSD,
      difference:
        "there are 1077 anchors; known at 640 × 640 are 8028 (SSD with six maps), 51150 (SSD with a feature"
        + " pyramid) and 76725 (EfficientDet)"),
    NearestCase(
      outputs: [[1, 200, 4], [1, 200, 91], [1, 200, 96, 96]], input: [1, 384, 384, 3], family: .detr,
      difference: "there is a third output with a map for each of the 200 queries, the masks of a DETR"),
    NearestCase(
      outputs: [[1, 96, 96, 200], [1, 200, 4], [1, 200, 91]], input: [1, 384, 384, 3],
      family: .ssdPostProcess, difference: "there are 3 outputs"),
    NearestCase(
      outputs: [[1, 200, 4], [1, 100, 91], [1, 200, 96, 96]], input: [1, 384, 384, 3],
      family: .ssdPostProcess, difference: "there are 3 outputs"),
    NearestCase(
      outputs: [[1, 10, 4], [1, 9], [1, 10], [1]], family: .ssdPostProcess,
      difference:
        "besides the boxes 'out0' float32 [1, 10, 4] two outputs of 10 values and one of 1 value are missing"),
    NearestCase(
      outputs: [[1, 10, 4], [1, 10], [1, 10], [1]], type: .uint8, family: .ssdPostProcess,
      difference: "'out0' uint8 [1, 10, 4] is not float32"),
    NearestCase(
      outputs: [[1, 80, 80, 3]], family: .fomo,
      difference:
        "the graph does not end with a softmax, so that 'out0' float32 [1, 80, 80, 3] may be anything"),
    NearestCase(
      outputs: [[1, 20, 20, 255]], family: .yolov5,
      difference: "the output is a feature map itself, not a list of boxes"),
    NearestCase(
      outputs: [[1, 900, 16], [1, 900, 1]], family: .mediaPipeFace,
      difference: "there are 900 anchors; known are 896 at 128 × 128, 2304 at 192 × 192, 896 at 256 × 256"),
    NearestCase(
      outputs: [[1, 900], [1, 900, 18]], family: .mediaPipePalm,
      difference: "there are 900 anchors; known are 2016 at 192 × 192"),
    NearestCase(
      outputs: [[1, 900, 12], [1, 900, 1]], family: .mediaPipePose,
      difference: "there are 900 anchors; known are 2254 at 224 × 224, 896 at 128 × 128"),
    NearestCase(
      outputs: [[1, 99, 80], [1, 98, 80], [1, 97, 80], [1, 99, 32], [1, 98, 32], [1, 97, 32]],
      family: .picodet,
      difference: "the rows of the 6 outputs are not the cells of 8, 16, 32 and 64 pixels"),
    NearestCase(
      outputs: [[1, 99, 80], [1, 98, 80], [1, 97, 80], [1, 99, 4], [1, 98, 4], [1, 97, 4]], family: .picodet,
      difference: "none of the 6 outputs has distributions of 32 or 44 numbers"),
    NearestCase(outputs: [[1, 5]], family: .ssdPostProcess, difference: "there is 1 output"),
    NearestCase(outputs: [], family: .ssdPostProcess, difference: "there are 0 outputs"),
    NearestCase(
      outputs: [[1, 84, 8400]], input: [1, 640, 640, 4], family: .yolov8,
      difference: "the input is not an image of shape [1, height, width, 3]"),
  ]

  @Test(arguments: nearest)
  func `a model of no family is told the nearest one and the difference`(_ test: NearestCase) {
    let signature = Self.signature(test.outputs, input: test.input, type: test.type)
    let error = #expect(throws: DetectionError.self) { try Self.recognizer(signature).decoder() }
    #expect(error?.code == .unknownFamily)
    let end =
      " The nearest is '\(test.family)', which has \(test.family.rule); here \(test.difference)"
    #expect(error?.message.hasSuffix(end) == true, "\(error?.message ?? "")")
    #expect(error?.remedy.description.isEmpty == false)
  }

  @Test func `a family that does not fit is rejected`() {
    for (family, output) in [
      (DetectorFamily.yolox, [1, 77, 9]), (.yolov5, [1, 5, 5]), (.yolov8, [1, 4, 90]), (.yolov10, [1, 9, 7]),
    ] {
      let error = #expect(throws: DetectionError.self) {
        try Self.recognizer(Self.signature([output])).decoder(family: family)
      }
      #expect(error?.code == .familyMismatch, "\(family)")
    }
  }

  @Test(arguments: [
    [[1, 84, 8400]], [[1, 5, 8400]], [[1, 116, 8400], [1, 160, 160, 32]], [[1, 84, 34_000]],
  ])
  func `cells along the columns are no classes of YOLOv5`(_ outputs: [[Int]]) throws {
    let recognizer = Self.recognizer(Self.signature(outputs), labels: 80)
    let error = #expect(throws: DetectionError.self) { try recognizer.decoder(family: .yolov5) }
    #expect(error?.code == .familyMismatch)
    #expect(error?.remedy.description.hasPrefix("Leave out the family to have it recognised") == true)
    #expect(try recognizer.decoder(family: .yolov8).family == .yolov8)
  }

  @Test(arguments: [
    ("yolo11", DetectorFamily.yolov8), ("yolov9", .yolov8), ("yolo26", .yolov10), ("yolov7", .yolov5),
  ])
  func `alternative names of a layout are known`(_ name: String, _ family: DetectorFamily) {
    #expect(DetectorFamily(name: name) == family)
  }
}
