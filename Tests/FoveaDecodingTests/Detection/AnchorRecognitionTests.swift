// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// How two outputs are distinguished, the score activation, and what is rejected.
@Suite struct AnchorRecognitionTests {
  static func tensor(
    _ name: String, _ shape: [Int], _ type: ElementType = .float32, _ quantization: Quantization = .none
  ) -> TensorDescription {
    TensorDescription(name: name, elementType: type, shape: shape, quantization: quantization)
  }

  static func model(
    input: [Int] = [1, 300, 300, 3], _ outputs: [TensorDescription], metadata: ModelMetadata? = nil,
    hints: DetectorHints = DetectorHints()
  ) -> DetectorRecognizer {
    DetectorRecognizer(
      modelName: "m",
      signature: ModelSignature(key: nil, inputs: [tensor("image", input, .uint8)], outputs: outputs),
      metadata: metadata, hints: hints)
  }

  static let boxes = tensor("a", [1, 1917, 4])
  static func scores(_ columns: Int, _ quantization: Quantization = .none) -> TensorDescription {
    tensor("b", [1, 1917, columns], quantization == .none ? .float32 : .uint8, quantization)
  }

  static func hints(
    _ activation: OutputActivation? = nil, asked: ScoreActivation? = nil, background: Bool? = nil,
    labels: [String]? = nil
  ) -> DetectorHints {
    var hints = DetectorHints()
    hints.activations = activation.map { ["b": $0, AnchorHead.scoresName: $0] }
    hints.scores = asked
    hints.hasBackground = background
    hints.labels = labels.map { LabelMap(names: $0, source: "l.txt") }
    return hints
  }

  struct Reading: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var model: DetectorRecognizer
    var activation: ScoreActivation
    var firstColumn: Int
    var classOffset: Int
  }

  static let readings = [
    Reading(
      testDescription: "the graph ends in a sigmoid, as many labels as columns",
      model: model([boxes, scores(3)], hints: hints(.sigmoid, labels: ["a", "b", "c"])), activation: .none,
      firstColumn: 0, classOffset: 0),
    Reading(
      testDescription: "one label fewer than columns",
      model: model([boxes, scores(3)], hints: hints(.sigmoid, labels: ["a", "b"])), activation: .none,
      firstColumn: 1,
      classOffset: 1),
    Reading(
      testDescription: "the labels start with the background",
      model: model([boxes, scores(3)], hints: hints(.sigmoid, labels: ["background", "a", "b"])),
      activation: .none,
      firstColumn: 1, classOffset: 0),
    Reading(
      testDescription: "the labels start with the background in another language",
      model: model([boxes, scores(3)], hints: hints(.softmax, labels: ["Hintergrund", "a", "b"])),
      activation: .none, firstColumn: 1, classOffset: 0),
    Reading(
      testDescription: "a softmax has a background",
      model: model([boxes, scores(3)], hints: hints(.softmax)),
      activation: .none, firstColumn: 1, classOffset: 1),
    Reading(
      testDescription: "the caller overrides the graph",
      model: model([boxes, scores(3)], hints: hints(.sigmoid, asked: .softmax, background: false)),
      activation: .softmax, firstColumn: 0, classOffset: 0),
    Reading(
      testDescription: "quantised to 0…1",
      model: model(
        [boxes, scores(3, .perTensor(scale: 1 / 256, zeroPoint: 0))],
        hints: hints(.other, background: true)), activation: .none, firstColumn: 1, classOffset: 1),
    Reading(
      testDescription: "one column of logits", model: model([boxes, scores(1)], hints: hints(.other)),
      activation: .sigmoid, firstColumn: 0, classOffset: 0),
    Reading(
      testDescription: "the Object Detection API's names, outputs swapped",
      model: model(
        [tensor(AnchorHead.scoresName, [1, 1917, 91]), tensor(AnchorHead.codesName, [1, 1917, 4])],
        hints: hints(.sigmoid)), activation: .none, firstColumn: 1, classOffset: 1),
    Reading(
      testDescription: "MediaPipe's Open Images SSD: logits",
      model: model(
        [tensor(AnchorHead.codesName, [1, 1917, 4]), tensor(AnchorHead.scoresName, [1, 1917, 195])],
        hints: hints(.other)), activation: .sigmoid, firstColumn: 1, classOffset: 1),
    Reading(
      testDescription: "four columns next to four numbers, distinguished by the graph",
      model: model([boxes, scores(4)], hints: hints(.softmax)), activation: .none, firstColumn: 1,
      classOffset: 1),
    Reading(
      testDescription: "four columns next to four numbers, distinguished by their range",
      model: model(
        [
          tensor("a", [1, 1917, 4], .uint8, .perTensor(scale: 0.1, zeroPoint: 128)),
          scores(4, .perTensor(scale: 1 / 256, zeroPoint: 0)),
        ], hints: hints(.other, background: true)), activation: .none, firstColumn: 1, classOffset: 1),
    Reading(
      testDescription: "four columns next to four numbers, distinguished by name",
      model: model(
        [tensor(AnchorHead.scoresName, [1, 1917, 4]), tensor(AnchorHead.codesName, [1, 1917, 4])],
        hints: hints(.sigmoid)), activation: .none, firstColumn: 1, classOffset: 1),
  ]

  @Test(arguments: readings) func `the score activation must be known`(_ row: Reading) throws {
    let head = try #require(try AnchorHead(row.model))
    let reading = try ScoreReading(head, of: row.model, anchors: nil)
    #expect(reading.activation == row.activation)
    #expect(reading.firstColumn == row.firstColumn)
    #expect(reading.classOffset == row.classOffset)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var model: DetectorRecognizer
    var code: DetectionCode
    var message: String
  }

  static let refusals = [
    Refusal(
      testDescription: "logits of unknown kind", model: model([boxes, scores(3)], hints: hints(.other)),
      code: .ambiguousModel,
      message:
        "The scores of 'm', 'b' float32 [1, 1917, 3], are not probabilities: its graph ends without sigmoid or softmax"
    ),
    Refusal(
      testDescription: "background or not", model: model([boxes, scores(3)], hints: hints(.sigmoid)),
      code: .ambiguousModel,
      message: "It is unknown whether the first of the 3 scores of 'm' is the background's"),
    Refusal(
      testDescription: "a background and no class",
      model: model([boxes, scores(1)], hints: hints(background: true)),
      code: .familyMismatch,
      message: "'m' has one score per anchor, so there can be no background class"),
    Refusal(
      testDescription: "two outputs alike", model: model([boxes, scores(4)]), code: .ambiguousModel,
      message:
        "The boxes and the scores of 'm' cannot be distinguished: 1 input: 'image' uint8 [1, 300, 300, 3];"
        + " 2 outputs: 'a' float32 [1, 1917, 4], 'b' float32 [1, 1917, 4]"),
    Refusal(
      testDescription: "an EfficientDet of no published size",
      model: model(input: [1, 256, 256, 3], [tensor("a", [1, 12276, 4]), tensor("b", [1, 12276, 90])]),
      code: .ambiguousModel,
      message:
        "'m' has the 12276 anchors of an EfficientDet of 256 × 256, but their sizes are known only for"
        + " 320, 384, 448, 512 and 640 pixels"),
    Refusal(
      testDescription: "an unknown number of anchors",
      model: model([tensor("a", [1, 1900, 4]), tensor("b", [1, 1900, 91])]),
      code: .unknownFamily,
      message: "here there are 1900 anchors; known at 300 × 300 are 1917 (SSD with six maps),"
        + " 11634 (SSD with a feature pyramid) and 17451 (EfficientDet)"),
    Refusal(
      testDescription: "rows that do not fit", model: model([boxes, tensor("b", [1, 1900, 91])]),
      code: .unknownFamily, message: "here there are 1917 boxes, but scores for 1900"),
    Refusal(
      testDescription: "post-processed, with an impossible count",
      model: model([
        tensor("a", [1, 10, 4]), tensor("b", [1, 10]), tensor("c", [1, 10]), tensor("d", [2]),
      ]), code: .unknownFamily,
      message:
        "here besides the boxes 'a' float32 [1, 10, 4] two outputs of 10 values and one of 1 value are missing"
    ),
    Refusal(
      testDescription: "post-processed, quantised",
      model: model([
        tensor("a", [1, 10, 4], .uint8), tensor("b", [1, 10]), tensor("c", [1, 10]), tensor("d", [1]),
      ]), code: .unknownFamily,
      message: "here 'a' uint8 [1, 10, 4] is not float32"),
  ]

  @Test(arguments: refusals) func `an ambiguous or unreadable model is rejected`(_ row: Refusal) {
    let error = #expect(throws: DetectionError.self) { try row.model.decoder() }
    #expect(error?.code == row.code)
    #expect(error?.message.contains(row.message) == true, "\(error?.message ?? "")")
  }

  @Test func `softmax covers the whole row, and the background is never returned`() throws {
    var hints = Self.hints(asked: .softmax, background: true)
    hints.labels = LabelMap(names: ["a", "b"], source: "l.txt")
    let decoder = try Self.model([Self.boxes, Self.scores(3)], hints: hints).decoder()
    #expect(decoder.classCount == 2)
    var scores = [Float](repeating: 0, count: 1917 * 3)
    for row in 0..<1917 { scores[row * 3] = 9 }
    // e² / (e⁰ + e¹ + e²) = 0.6652 for class 1.
    scores[1900 * 3] = 0
    scores[1900 * 3 + 1] = 1
    scores[1900 * 3 + 2] = 2
    let found = try decoder.decode(
      [[Float](repeating: 0, count: 1917 * 4), scores], threshold: 0.3, limit: 10)
    #expect(found.map(\.classIndex) == [1])
    #expect(abs((found.first?.score ?? 0) - 0.66524) < 1e-4)
    // In the background, in a class, and in a row that no object reaches.
    for (place, value) in [5700, 5702, 3].flatMap({ place in [Float.nan, .infinity].map { (place, $0) } }) {
      var wrong = scores
      wrong[place] = value
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode([[Float](repeating: 0, count: 1917 * 4), wrong], threshold: 0.3, limit: 10)
      }
      #expect(error?.message == "'m' returned the score \(value), which is not a probability")
    }
    for place in [5700, 5701] { scores[place] = -.infinity }
    let sure = try decoder.decode(
      [[Float](repeating: 0, count: 1917 * 4), scores], threshold: 0.3, limit: 10)
    #expect(sure.map(\.score) == [1])
  }

  @Test(arguments: [(Float(0.5), 1), (0.8807, 1), (0.8809, 0), (0, 1917), (1, 0)])
  func `the threshold applies to the probability, not the logit`(_ threshold: Float, _ count: Int) throws {
    let decoder = try Self.model([Self.boxes, Self.scores(1)], hints: Self.hints(.other)).decoder()
    var scores = [Float](repeating: -20, count: 1917)
    scores[7] = 2  // sigmoid 0.88080
    var codes = [Float](repeating: 0, count: 1917 * 4)
    // Far apart, so that none is suppressed.
    for row in 0..<1917 { codes[row * 4] = Float(row) * 1e4 }
    #expect(try decoder.decode([codes, scores], threshold: threshold, limit: 5000).count == count)
  }

  @Test func `boxes of different classes do not compete, those of one class do`() throws {
    let decoder = try Self.model(
      [Self.boxes, Self.scores(2)], hints: Self.hints(.sigmoid, background: false)
    ).decoder()
    var scores = [Float](repeating: 0, count: 1917 * 2)
    // The two squares of one cell of the second map overlap by 0.7: scale 0.35 and √(0.35 · 0.5).
    (scores[1083 * 2], scores[1088 * 2]) = (0.9, 0.8)
    let codes = [Float](repeating: 0, count: 1917 * 4)
    #expect(try decoder.decode([codes, scores], threshold: 0.3, limit: 9).map(\.score) == [0.9])
    (scores[1088 * 2], scores[1088 * 2 + 1]) = (0, 0.8)
    #expect(try decoder.decode([codes, scores], threshold: 0.3, limit: 9).map(\.classIndex) == [0, 1])
  }

  @Test func `anchors in the metadata are used, with their scales`() throws {
    var anchors = AnchorMetadata()
    anchors.anchors = [
      .init(centerX: 0.5, centerY: 0.25, width: 0.2, height: 0.1),
      .init(centerX: 0, centerY: 0, width: 1, height: 1),
    ]
    anchors.classCount = 2
    anchors.scales = (x: 2, y: 4, width: 1, height: 1)
    anchors.scoresNeedSigmoid = true
    var graph = ModelMetadata.Subgraph()
    graph.outputs = [TensorMetadata(name: "score"), TensorMetadata(name: "location")]
    graph.customMetadata = [anchors.customMetadata]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    let decoder = try Self.model(
      [Self.tensor("s", [1, 2, 2]), Self.tensor("l", [1, 2, 4])], metadata: metadata
    ).decoder()
    #expect(decoder.family == .anchorSSD)
    // Sizes are factors here, not logarithms: 2 × 0.1 high, 1 × 0.2 wide; the centre moves by ¼ and ½ of the size.
    let found = try decoder.decode([[-9, 2, -9, -9], [1, 1, 2, 1, 0, 0, 0, 0]], threshold: 0.5, limit: 9)
    #expect(found.count == 1)
    #expect(found.first?.classIndex == 1)
    let box = try #require(found.first?.box)
    let expected = [0.5, 0.175, 0.7, 0.375]
    for (found, expected) in zip([box.minX, box.minY, box.maxX, box.maxY], expected) {
      #expect(abs(found - expected) < 1e-6)
    }
    anchors.anchors.removeLast()
    metadata.subgraphs[0].customMetadata = [anchors.customMetadata]
    let error = #expect(throws: DetectionError.self) {
      try Self.model([Self.tensor("s", [1, 2, 2]), Self.tensor("l", [1, 2, 4])], metadata: metadata).decoder()
    }
    #expect(
      error?.message
        == "The metadata of 'm' are for 1 anchors and 2 classes, but its outputs have 2 rows of 2 scores")
  }
}
