// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

@Suite struct AnchorSSDTests {
  static func signature(
    input: [Int] = [1, 192, 192, 3], boxes: [Int] = [1, 738, 4], scores: [Int] = [1, 738]
  ) -> ModelSignature {
    ModelSignature(
      key: nil, inputs: [TensorDescription(name: "image", elementType: .uint8, shape: input)],
      outputs: [
        TensorDescription(name: "boxes", elementType: .float32, shape: boxes),
        TensorDescription(name: "scores", elementType: .float32, shape: scores),
      ])
  }

  static func decoder() throws(DetectionError) -> any DetectionDecoder {
    try DetectorRecognizer(modelName: "m", signature: signature(), metadata: nil).decoder()
  }

  @Test func `the layout has 738 anchors in the documented order`() {
    let anchors = AnchorLayout.ssd(width: 192, height: 192).anchors
    #expect(anchors.count == 738)
    // First cell of the first map: a square of 0.1, then scale 0.2 at ratio 2 and 1/2.
    #expect(anchors[0] == .init(centerX: 0.5 / 12, centerY: 0.5 / 12, width: 0.1, height: 0.1))
    #expect(
      abs(anchors[1].width - 0.2 * Float(2).squareRoot()) < 1e-6
        && abs(anchors[1].height - 0.2 / Float(2).squareRoot()) < 1e-6)
    #expect(abs(anchors[2].width - 0.2 / Float(2).squareRoot()) < 1e-6)
    // The second cell is to the right.
    #expect(abs(anchors[3].centerX - 1.5 / 12) < 1e-6 && abs(anchors[3].centerY - 0.5 / 12) < 1e-6)
    // The last: the square between scales 0.95 and 1 of the last map.
    #expect(abs((anchors.last?.width ?? 0) - Float(0.95).squareRoot()) < 1e-6)
    #expect(anchors.last?.centerX == 0.5)
  }

  @Test func `zero codes give the anchor itself`() throws {
    var scores = [Float](repeating: 0, count: 738)
    scores[0] = 0.9
    let found = try Self.decoder().decode(
      [[Float](repeating: 0, count: 738 * 4), scores], threshold: 0.5, limit: 5)
    #expect(found.count == 1)
    let box = try #require(found.first?.box)
    #expect(abs(box.minX - (0.5 / 12 - 0.05)) < 1e-6 && abs(box.maxY - (0.5 / 12 + 0.05)) < 1e-6)
    #expect(found.first?.classIndex == nil)
  }

  @Test func `codes move and scale the anchor`() throws {
    var codes = [Float](repeating: 0, count: 738 * 4)
    codes[0] = 10  // one anchor height down
    codes[1] = -10  // one anchor width to the left
    codes[2] = 5  // e times as high
    codes[3] = -5  // 1/e times as wide
    var scores = [Float](repeating: 0, count: 738)
    scores[0] = 1
    let box = try #require(try Self.decoder().decode([codes, scores], threshold: 0.5, limit: 1).first?.box)
    let e = 2.718281828459045
    #expect(abs(box.maxX - box.minX - 0.1 / e) < 1e-6)
    #expect(abs(box.maxY - box.minY - 0.1 * e) < 1e-6)
    #expect(abs((box.minX + box.maxX) / 2 - (0.5 / 12 - 0.1)) < 1e-6)
    #expect(abs((box.minY + box.maxY) / 2 - (0.5 / 12 + 0.1)) < 1e-6)
  }

  @Test func `duplicates on one object are suppressed`() throws {
    var codes = [Float](repeating: 0, count: 738 * 4)
    let anchors = AnchorLayout.ssd(width: 192, height: 192).anchors
    // Move the second anchor onto the first and give it the same size.
    let a = anchors[1]
    let b = anchors[4]
    codes[4 * 4 + 1] = (a.centerX - b.centerX) / b.width * 10
    var scores = [Float](repeating: 0, count: 738)
    scores[1] = 0.8
    scores[4] = 0.9
    let found = try Self.decoder().decode([codes, scores], threshold: 0.3, limit: 5)
    #expect(found.map(\.score) == [0.9])
  }

  @Test func `codes that are not numbers or too large are not detections`() throws {
    var codes = [Float](repeating: 0, count: 738 * 4)
    codes[0] = .nan
    codes[4 + 2] = .infinity
    var scores = [Float](repeating: 0, count: 738)
    scores[0] = 1
    scores[1] = 1
    #expect(try Self.decoder().decode([codes, scores], threshold: 0.3, limit: 5).isEmpty)
    scores[1] = -.nan
    let error = #expect(throws: DetectionError.self) {
      try Self.decoder().decode([codes, scores], threshold: 0.3, limit: 5)
    }
    #expect(error?.message.hasSuffix(" returned the score nan, which is not a probability") == true)
    #expect(error?.remedy.description.hasPrefix("Check the normalisation") == true)
  }

  @Test(arguments: [
    signature(input: [1, 300, 300, 3]), signature(boxes: [1, 737, 4], scores: [1, 737]),
    signature(scores: [1, 737, 2]),
    signature(boxes: [1, 738, 5]),
  ])
  func `other layouts are an error that shows the tensors and the nearest family`(_ signature: ModelSignature)
  {
    let error = #expect(throws: DetectionError.self) {
      try DetectorRecognizer(modelName: "odd.tflite", signature: signature, metadata: nil).decoder()
    }
    #expect(error?.code == .unknownFamily)
    #expect(
      error?.message.contains(
        "'odd.tflite' has no detector layout that Fovea knows: it has 1 input: 'image'") == true)
    #expect(error?.message.contains("TFLite") == false)
    #expect(error?.message.contains("The nearest is 'ssd-") == true)
  }

  @Test func `a family that does not fit is an error that names it`() {
    let error = #expect(throws: DetectionError.self) {
      try DetectorRecognizer(modelName: "m", signature: Self.signature(), metadata: nil)
        .decoder(family: .ssdPostProcess)
    }
    #expect(error?.code == .familyMismatch)
    #expect(
      error?.message.hasPrefix("'m' is not of the family 'ssd-postprocess', which has four float outputs")
        == true)
  }

  @Test func `families have names`() {
    for family in DetectorFamily.all { #expect(DetectorFamily(name: family.name) == family) }
    #expect(DetectorFamily(name: "yolo") == nil)
  }
}
