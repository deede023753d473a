// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime
import Testing

@Suite struct SSDPostProcessTests {
  static let operatorNames = [
    "TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess:1", "TFLite_Detection_PostProcess:2",
    "TFLite_Detection_PostProcess:3",
  ]

  static func signature(
    names: [String] = operatorNames, shapes: [[Int]] = [[1, 3, 4], [1, 3], [1, 3], [1]]
  ) -> ModelSignature {
    ModelSignature(
      key: nil, inputs: [TensorDescription(name: "image", elementType: .uint8, shape: [1, 300, 200, 3])],
      outputs: zip(names, shapes).map { TensorDescription(name: $0, elementType: .float32, shape: $1) })
  }

  static func decoder(
    _ signature: ModelSignature = signature(), metadata: ModelMetadata? = nil
  ) throws(DetectionError) -> any DetectionDecoder {
    try DetectorRecognizer(modelName: "ssd.tflite", signature: signature, metadata: metadata).decoder()
  }

  static func metadata(_ names: [String], boxes: BoundingBoxLayout) -> ModelMetadata {
    var metadata = ModelMetadata()
    var graph = ModelMetadata.Subgraph()
    graph.outputs = names.map { TensorMetadata(name: $0) }
    if let index = names.firstIndex(of: "location") { graph.outputs[index].content = .boundingBoxes(boxes) }
    metadata.subgraphs = [graph]
    return metadata
  }

  // Top, left, bottom, right.
  static let boxes: [Float] = [0.1, 0.2, 0.3, 0.4, 0, 0, 1, 1, 0.5, 0.5, 0.6, 0.9]

  @Test func `boxes, classes and scores are read in the operator's order`() throws {
    let found = try Self.decoder().decode(
      [Self.boxes, [7, 0, 3], [0.9, 0.8, 0.7], [3]], threshold: 0, limit: 10)
    #expect(found.map(\.classIndex) == [7, 0, 3])
    #expect(found.map(\.score) == [0.9, 0.8, 0.7])
    #expect(abs(found[0].box.minX - 0.2) < 1e-6 && abs(found[0].box.minY - 0.1) < 1e-6)
    #expect(abs(found[0].box.maxX - 0.4) < 1e-6 && abs(found[0].box.maxY - 0.3) < 1e-6)
    #expect(try Self.decoder().maximumDetections == 3)
  }

  struct OrderCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var signature: ModelSignature
    var metadata: ModelMetadata?
    var outputs: [[Float]]
  }

  static let one: [Float] = [0.1, 0.2, 0.3, 0.4]
  static let ratio = BoundingBoxLayout(kind: .boundaries, index: [1, 0, 3, 2])

  static let orders = [
    OrderCase(
      testDescription: "names of the operator, shuffled",
      signature: signature(
        names: [operatorNames[3], operatorNames[2], operatorNames[0], operatorNames[1]],
        shapes: [[1], [1, 1], [1, 1, 4], [1, 1]]), outputs: [[1], [0.5], one, [4]]),
    OrderCase(
      testDescription: "names of TensorFlow 2's call, counting down",
      signature: signature(
        names: [
          "StatefulPartitionedCall:3", "StatefulPartitionedCall:2", "StatefulPartitionedCall:1",
          "StatefulPartitionedCall:0",
        ],
        shapes: [[1, 1, 4], [1, 1], [1, 1], [1]]), outputs: [one, [4], [0.5], [1]]),
    OrderCase(
      testDescription: "names in the metadata",
      signature: signature(names: ["a", "b", "c", "d"], shapes: [[1, 1], [1, 1, 4], [1], [1, 1]]),
      metadata: metadata(["score", "location", "number of detections", "category"], boxes: ratio),
      outputs: [[0.5], one, [1], [4]]),
    OrderCase(
      testDescription: "shapes only, classes before scores",
      signature: signature(names: ["a", "b", "c", "d"], shapes: [[1, 1, 4], [1, 1], [1, 1], [1]]),
      outputs: [one, [4], [0.5], [1]]),
  ]

  @Test(arguments: orders)
  func `outputs are distinguished`(_ order: OrderCase) throws {
    let found = try Self.decoder(order.signature, metadata: order.metadata)
      .decode(order.outputs, threshold: 0, limit: 10)
    #expect(found.count == 1)
    #expect(found.first?.classIndex == 4)
    #expect(found.first?.score == 0.5)
    #expect(abs((found.first?.box.minX ?? 0) - 0.2) < 1e-6)
  }

  struct LayoutCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var layout: BoundingBoxLayout
    var box: NormalizedBox
  }

  static let layouts = [
    LayoutCase(
      testDescription: "no index: left, top, right, bottom", layout: BoundingBoxLayout(kind: .boundaries),
      box: NormalizedBox(minX: 0.125, minY: 0.25, maxX: 0.5, maxY: 0.75)),
    LayoutCase(
      testDescription: "index 1 0 3 2: top, left, bottom, right", layout: ratio,
      box: NormalizedBox(minX: 0.25, minY: 0.125, maxX: 0.75, maxY: 0.5)),
    LayoutCase(
      testDescription: "corner and size", layout: BoundingBoxLayout(kind: .upperLeft),
      box: NormalizedBox(minX: 0.125, minY: 0.25, maxX: 0.625, maxY: 1)),
    LayoutCase(
      testDescription: "centre and size", layout: BoundingBoxLayout(kind: .center),
      box: NormalizedBox(minX: -0.125, minY: -0.125, maxX: 0.375, maxY: 0.625)),
  ]

  @Test(arguments: layouts)
  func `the metadata declares how four numbers make a box`(_ layout: LayoutCase) throws {
    let names = ["location", "category", "score", "number of detections"]
    let signature = Self.signature(shapes: [[1, 1, 4], [1, 1], [1, 1], [1]])
    let found = try Self.decoder(signature, metadata: Self.metadata(names, boxes: layout.layout))
      .decode([[0.125, 0.25, 0.5, 0.75], [0], [1], [1]], threshold: 0, limit: 1)
    #expect(found.first?.box == layout.box)
  }

  @Test func `boxes in pixels are divided by the input's size`() throws {
    let names = ["location", "category", "score", "number of detections"]
    let layout = BoundingBoxLayout(kind: .boundaries, coordinates: .pixel)
    let found = try Self.decoder(
      Self.signature(shapes: [[1, 1, 4], [1, 1], [1, 1], [1]]), metadata: Self.metadata(names, boxes: layout)
    ).decode([[50, 75, 100, 150], [0], [1], [1]], threshold: 0, limit: 1)
    #expect(found.first?.box == NormalizedBox(minX: 0.25, minY: 0.25, maxX: 0.5, maxY: 0.5))
  }

  @Test func `an impossible order of edges is an error`() {
    let names = ["location", "category", "score", "number of detections"]
    let error = #expect(throws: DetectionError.self) {
      try Self.decoder(
        metadata: Self.metadata(names, boxes: BoundingBoxLayout(kind: .boundaries, index: [0, 0, 1, 9])))
    }
    #expect(error?.code == .familyMismatch)
    #expect(
      error?.message
        == "The metadata of 'ssd.tflite' gives [0, 0, 1, 9] as the order of box edges; it must be 0, 1, 2, 3 in any order"
    )
  }

  @Test(arguments: [(Float(0), 3), (0.7, 3), (0.700001, 2), (0.85, 1), (1, 0)])
  func `a score that equals the threshold is kept`(_ threshold: Float, _ count: Int) throws {
    let found = try Self.decoder().decode(
      [Self.boxes, [0, 0, 0], [0.9, 0.8, 0.7], [3]], threshold: threshold, limit: 10)
    #expect(found.count == count)
  }

  @Test func `results are sorted by score, ties in the model's order, and limited`() throws {
    let outputs: [[Float]] = [Self.boxes, [0, 1, 2], [0.5, 0.9, 0.5], [3]]
    #expect(try Self.decoder().decode(outputs, threshold: 0, limit: 10).map(\.classIndex) == [1, 0, 2])
    #expect(try Self.decoder().decode(outputs, threshold: 0, limit: 2).map(\.classIndex) == [1, 0])
    #expect(try Self.decoder().decode(outputs, threshold: 0, limit: 0).isEmpty)
  }

  @Test func `only as many rows as the model counts are read`() throws {
    let found = try Self.decoder().decode(
      [Self.boxes, [0, 1, 2], [0.9, 0.8, 0.7], [1]], threshold: 0, limit: 10)
    #expect(found.map(\.classIndex) == [0])
    #expect(
      try Self.decoder().decode([Self.boxes, [0, 1, 2], [0.9, 0.8, 0.7], [0]], threshold: 0, limit: 10)
        .isEmpty)
  }

  @Test(arguments: [Float.nan, -1, 4, .infinity, 1.5, 0.9, 2.02])
  func `an impossible count is an error`(_ count: Float) throws {
    let decoder = try Self.decoder()
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([Self.boxes, [0, 1, 2], [0.9, 0.8, 0.7], [count]], threshold: 0, limit: 10)
    }
    #expect(error?.code == .invalidOutput)
    #expect(
      error?.message
        == "'ssd.tflite' returned \(count) as its number of detections, expected a whole number from 0 to 3")
  }

  @Test(arguments: [(Float(2.005), Float(0)), (1.995, 0), (2.1, 0.25), (1.9, 0.25), (2, 1)])
  func `a count may be off by the rounding of its type`(_ count: Float, _ step: Float) throws {
    var signature = Self.signature()
    if step > 0 { signature.outputs[3].quantization = .perTensor(scale: step, zeroPoint: 0) }
    let found = try Self.decoder(signature)
      .decode([Self.boxes, [0, 1, 2], [0.9, 0.8, 0.7], [count]], threshold: 0, limit: 10)
    #expect(found.map(\.classIndex) == [0, 1])
  }

  @Test(arguments: [Float.infinity, -.infinity], 0..<4)
  func `an edge of a box that is infinite is an error`(_ value: Float, _ place: Int) throws {
    var boxes = Self.boxes
    boxes[4 + place] = value
    let outputs = [boxes, [0, 1, 2], [0.9, 0.8, 0.7], [3]]
    let decoder = try Self.decoder()
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode(outputs, threshold: 0.8, limit: 10)
    }
    #expect(error?.code == .invalidOutput)
    #expect(
      error?.message
        == "'ssd.tflite' returned \(value) as an edge of the box of detection 1, expected a finite number")
    // Detections below the threshold are not read.
    #expect(try decoder.decode(outputs, threshold: 0.85, limit: 10).map(\.classIndex) == [0])
  }

  @Test(arguments: [Float.nan, -1, 1e9])
  func `an impossible class is an error`(_ value: Float) throws {
    let decoder = try Self.decoder()
    #expect(throws: DetectionError.self) {
      try decoder.decode([Self.boxes, [value, 1, 2], [0.9, 0.8, 0.7], [3]], threshold: 0, limit: 10)
    }
  }

  @Test func `a score that is not a number is an error, at any position`() throws {
    let decoder = try Self.decoder()
    for place in 0..<3 {
      var scores: [Float] = [0.9, 0.8, 0.7]
      scores[place] = .nan
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode([Self.boxes, [0, 1, 2], scores, [3]], threshold: 0.75, limit: 10)
      }
      #expect(error?.code == .invalidOutput)
      #expect(
        error?.message == "'ssd.tflite' returned nan as the score of detection \(place), expected 0 to 1")
    }
    let found = try decoder.decode([Self.boxes, [0, 1, 2], [0.9, 0.8, .nan], [2]], threshold: 0, limit: 10)
    #expect(found.map(\.classIndex) == [0, 1])
  }

  @Test func `boxes that are not numbers are not detections`() throws {
    var boxes = Self.boxes
    boxes[4] = .nan
    let found = try Self.decoder().decode(
      [boxes, [0, 1, 2], [0.9, 0.8, 0.7], [3]], threshold: 0, limit: 10)
    #expect(found.map(\.classIndex) == [0, 2])
  }

  struct BoxCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Top, left, bottom, right.
    var box: [Float]
    /// The end of the error's message; nil if the box is read.
    var error: String?
    /// The number of detections.
    var count = 0
  }

  static let beyond = "expected fractions of the image"
  static let inverted = "which has a negative size"
  static let boxCases = [
    BoxCase(testDescription: "pixels", box: [30, 60, 150, 180], error: beyond),
    BoxCase(testDescription: "pixels of a small box", box: [1, 1, 3, 2], error: beyond),
    BoxCase(testDescription: "fractions and pixels", box: [0.125, 0.25, 150, 180], error: beyond),
    BoxCase(testDescription: "far above and left of the image", box: [-30, -60, 0.5, 0.5], error: beyond),
    BoxCase(testDescription: "one image away", box: [-3, -3, -2, -2], error: beyond),
    BoxCase(testDescription: "both edges swapped", box: [0.5, 0.75, 0.125, 0.25], error: inverted),
    BoxCase(testDescription: "bottom above top", box: [0.5, 0.25, 0.125, 0.75], error: inverted),
    BoxCase(testDescription: "right left of left", box: [0.125, 0.75, 0.5, 0.25], error: inverted),
    BoxCase(testDescription: "swapped pixels", box: [150, 180, 30, 60], error: inverted),
    BoxCase(testDescription: "the image", box: [0, 0, 1, 1], count: 1),
    BoxCase(testDescription: "slightly beyond the image", box: [-0.125, -0.125, 1.125, 1.125], count: 1),
    BoxCase(testDescription: "a large object at the edge", box: [-1, -1, 2, 2], count: 1),
    BoxCase(testDescription: "empty", box: [0.125, 0.25, 0.125, 0.25]),
    BoxCase(testDescription: "zeros", box: [0, 0, 0, 0]),
    BoxCase(testDescription: "empty, inverted by rounding", box: [0.125, 0.26, 0.12, 0.25]),
  ]

  @Test(arguments: boxCases)
  func `a box that is not in fractions of the image is an error`(_ row: BoxCase) throws {
    let decoder = try Self.decoder()
    let boxes = Array(Self.boxes.prefix(4)) + row.box + Array(Self.boxes.suffix(4))
    let outputs = [boxes, [0, 1, 2], [0.9, 0.8, 0.7], [3]]
    if let text = row.error {
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode(outputs, threshold: 0.8, limit: 10)
      }
      #expect(error?.code == .invalidOutput)
      #expect(error?.message == "'ssd.tflite' returned \(row.box) as the box of detection 1, \(text)")
      #expect(
        error?.remedy
          == "Export the model with boxes of top, left, bottom and right in fractions of the image")
    } else {
      let found = try decoder.decode(outputs, threshold: 0.8, limit: 10)
      #expect(found.count { $0.classIndex == 1 } == row.count)
    }
    // Rows below the threshold and beyond the number of detections may hold anything.
    #expect(try decoder.decode(outputs, threshold: 0.85, limit: 10).map(\.classIndex) == [0])
    let counted = [boxes, [0, 1, 2], [0.9, 0.8, 0.7], [1]]
    #expect(try decoder.decode(counted, threshold: 0, limit: 10).map(\.classIndex) == [0])
  }

  @Test func `boxes in pixels are compared with the image after the division`() throws {
    let names = ["location", "category", "score", "number of detections"]
    let layout = BoundingBoxLayout(kind: .upperLeft, coordinates: .pixel)
    let decoder = try Self.decoder(
      Self.signature(shapes: [[1, 1, 4], [1, 1], [1, 1], [1]]), metadata: Self.metadata(names, boxes: layout))
    for box in [[50, 75, 1000, 150], [50, 75, -100, 150]] as [[Float]] {
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode([box, [0], [1], [1]], threshold: 0, limit: 1)
      }
      #expect(error?.code == .invalidOutput)
    }
  }
}
