// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct GraphFactsTests {
  /// An operator as (code, inputs, outputs).
  typealias Node = (code: UInt32, inputs: [Int32], outputs: [Int32])

  /// A model of one graph of these operators.
  static func graph(
    _ operators: [Node], _ tensors: [TestModel.Tensor], inputs: [Int32] = [], outputs: [Int32] = [],
    buffers: [[UInt8]] = []
  ) -> [UInt8] {
    var model = TestModel(
      tensors: tensors, operators: operators.map { .init(code: $0, inputs: $1, outputs: $2) },
      inputs: inputs, outputs: outputs, buffers: buffers)
    model.codes = .numbers
    return model.bytes()
  }

  /// The tensors t0 to t6, and another t6.
  static let tensors = (0..<8).map { TestModel.Tensor(shape: [], name: "t\(min($0, 6))") }

  static let (concatenation, dequantize, logistic, reshape, softmax, convolution):
    (
      UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
    ) = (2, 6, 14, 22, 25, 3)

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let operators: [Node]
    var outputs: [Int32] = [3]
    let expected: [String: OutputActivation]
  }

  static let cases = [
    Case(
      testDescription: "a sigmoid at the end", operators: [(logistic, [0], [3])], expected: ["t3": .sigmoid]),
    Case(
      testDescription: "after operators that only move numbers",
      operators: [(softmax, [0], [1]), (reshape, [1, 5], [2]), (dequantize, [2], [3])],
      expected: ["t3": .softmax]),
    Case(
      testDescription: "equal parts, and a constant",
      operators: [(logistic, [0], [1]), (logistic, [4], [2]), (concatenation, [1, 2, 5], [3])],
      expected: ["t3": .sigmoid]),
    Case(
      testDescription: "parts that differ",
      operators: [(logistic, [0], [1]), (softmax, [4], [2]), (concatenation, [1, 2], [3])],
      expected: ["t3": .other]),
    Case(
      testDescription: "one part without",
      operators: [(logistic, [0], [1]), (convolution, [4], [2]), (concatenation, [1, 2], [3])],
      expected: ["t3": .other]),
    Case(
      testDescription: "something after the sigmoid",
      operators: [(logistic, [0], [1]), (convolution, [1], [3])],
      expected: ["t3": .linear]),
    Case(
      testDescription: "an input as output, and a cycle", operators: [(reshape, [3], [3])], outputs: [0, 3],
      expected: ["t0": .other, "t3": .other]),
    Case(
      testDescription: "two outputs of one name are left out", operators: [(logistic, [0], [6, 7])],
      outputs: [6, 7],
      expected: [:]),
    Case(testDescription: "no outputs", operators: [], outputs: [], expected: [:]),
  ]

  @Test(arguments: cases) func `the last operator of an output is found`(_ row: Case) throws {
    let graph = Self.graph(row.operators, Self.tensors, outputs: row.outputs)
    #expect(try OutputActivation.read(graph.span) == row.expected)
  }

  @Test func `an output that is not a tensor is damage`() {
    let error = #expect(throws: MetadataError.self) {
      try OutputActivation.read(Self.graph([], Self.tensors, outputs: [99]).span)
    }
    #expect(error?.message == "output 99 is not a tensor: the model has 8")
  }

  /// {"a": 1, "b": -2, "f": 0.5, "t": true} as Python's flatbuffers 25.12 writes it.
  static let map: [UInt8] = [
    97, 0, 98, 0, 102, 0, 116, 0, 4, 9, 8, 7, 6, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 254,
    255, 255, 255, 0, 0, 0, 63, 1, 0, 0, 0, 6, 6, 14, 106, 20, 38, 1,
  ]

  @Test func `numbers of a map are read at any width`() throws {
    let map = try #require(FlexMap(Self.map))
    #expect(map.numbers == ["a": 1, "b": -2, "f": 0.5, "t": 1])
    #expect(map.int("b") == -2)
    #expect(map.int("f") == nil)
    #expect(map.int("none") == nil)
  }

  @Test func `any bytes are a map or not`() {
    for length in 0..<Self.map.count { _ = FlexMap(Array(Self.map.prefix(length))) }
    var seed: UInt64 = 7
    for _ in 0..<20_000 {
      var bytes = Self.map
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 20)
      }
      _ = FlexMap(bytes)
    }
  }

  @Test func `anchors survive being written and read, and damage is found`() throws {
    var anchors = AnchorMetadata()
    anchors.anchors = [.init(centerX: 0.1, centerY: 0.2, width: 0.3, height: 0.4)]
    anchors.classCount = 5
    anchors.scales = (x: 10, y: 11, width: 5, height: 6)
    anchors.sizesAreLogarithms = true
    anchors.scoresNeedSigmoid = true
    var metadata = ModelMetadata()
    var graph = ModelMetadata.Subgraph()
    graph.customMetadata = [CustomMetadata(name: "other", data: [1]), anchors.customMetadata]
    metadata.subgraphs = [graph]
    let written = try MetadataWriter.write(metadata, to: SyntheticModel.make())
    let read = try #require(try ModelMetadata.read(written))
    #expect(read.subgraphs.first?.customMetadata == graph.customMetadata)
    #expect(read.minParserVersion == "1.5.0")
    #expect(try AnchorMetadata.read(read) == anchors)
    metadata.subgraphs[0].customMetadata = []
    #expect(try AnchorMetadata.read(metadata) == nil)

    let good = anchors.customMetadata.data
    for length in 0..<good.count {
      metadata.subgraphs[0].customMetadata = [
        CustomMetadata(name: AnchorMetadata.name, data: Array(good.prefix(length)))
      ]
      let error = #expect(throws: MetadataError.self) { try AnchorMetadata.read(metadata) }
      #expect(error?.code == .damagedMetadata)
    }
    anchors.scales.x = 0
    metadata.subgraphs[0].customMetadata = [anchors.customMetadata]
    let error = #expect(throws: MetadataError.self) { try AnchorMetadata.read(metadata) }
    #expect(
      error?.message
        == "The model's DETECTOR_METADATA is broken: its scales are [0.0, 11.0, 5.0, 6.0]; expected numbers above 0"
    )
  }

  /// Read with Python's flatbuffers from the same files.
  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"),
    arguments: [
      ("coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", 90), ("automl_traffic_model", 3),
      ("mobile_object_localizer_v1_1_default_1", 1),
      ("yolox_nano", nil),
    ] as [(String, Int?)])
  func `real detectors declare their number of classes`(_ name: String, _ classes: Int?) throws {
    let bytes = try SharedData.bytes("models/detect/\(name).tflite")
    #expect(try PostProcessOptions.read(bytes.span)?.classCount == classes)
  }

  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"),
    arguments: [
      ("classify/mlkit_object_labeler", .sigmoid), ("classify/mlkit_bird", .softmax),
      ("classify/tfls_mobilenet_v2_1.0_224_quant", .linear), ("own/coarse_int8", .sigmoid),
      ("detect/yolox_nano", .other),
    ] as [(String, OutputActivation)])
  func `real models end as Python reads them`(_ name: String, _ activation: OutputActivation) throws {
    let bytes = try SharedData.bytes("models/\(name).tflite")
    #expect(try OutputActivation.read(bytes.span).values.first == activation)
  }
}
