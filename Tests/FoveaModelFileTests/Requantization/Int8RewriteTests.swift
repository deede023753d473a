// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

@Suite struct Int8RewriteTests {
  static func rewritten(_ graph: TestModel = TestModel.quantized()) throws -> GraphReading {
    try GraphReading(try #require(try Int8Rewrite.rewrite(graph.bytes())))
  }

  @Test func `activations are shifted by 128 and represent the same values`() throws {
    let tensors = try Self.rewritten().tensors
    #expect(tensors[0] == .init(type: GraphSchema.ElementType.int8, scales: [0.5], zeroPoints: [0], data: []))
    #expect(
      tensors[3] == .init(type: GraphSchema.ElementType.int8, scales: [1], zeroPoints: [-118], data: []))
  }

  @Test func `a channel that fits keeps its weights exactly, another one is rounded within its step`()
    throws
  {
    let tensors = try Self.rewritten().tensors
    // Channel 0: 3…255 less 130 is −127…125. Channel 1: 2 − 130 = −128 does not fit.
    let factor: Float = 128 / 127
    #expect(tensors[1].scales == [0.25, 0.25 * factor])
    #expect(tensors[1].zeroPoints == [0, 0])
    let weights = tensors[1].data.map { Int8(bitPattern: $0) }
    #expect(weights == [-127, 0, 1, 125, -127, 0, 69, 124])
    for (weight, stored) in zip(weights[4...], [2, 130, 200, 255]) {
      #expect(abs(Float(weight) * factor - Float(stored - 130)) <= factor)
    }
  }

  @Test(
    arguments: [
      ([], []), ([0], [0]), ([0.4], [0]), ([127, -127], [127, -127]),
      // Four times 0.4 is 1.6, so two of them go up: the first ones of a tie.
      ([0.4, 0.4, 0.4, 0.4], [1, 1, 0, 0]), ([-0.4, -0.4, -0.4], [-1, 0, 0]),
      ([1.25, 2.4375, -3.25, 9.375], [1, 3, -3, 9]), ([126.6, 126.6, 126.6], [126, 127, 127]),
    ] as [([Float], [Int8])])
  func `rounding keeps the sum`(_ numbers: [Float], _ expected: [Int8]) {
    #expect(WeightConversion.rounded(numbers) == expected)
  }

  @Test func `the bias counts in the new steps`() throws {
    let bias = try Self.rewritten().tensors[2]
    #expect(bias.scales == [0.125, 0.125 * (128 / 127)])
    #expect(bias.data == [232, 3, 0, 0, 32, 252, 255, 255])  // 1000 and −992 = round(−1000 · 127 / 128)
  }

  @Test func `a custom operator's inputs stay uint8, and joined tensors share one scale`() throws {
    let graph = try Self.rewritten()
    #expect(
      graph.tensors[6]
        == .init(type: GraphSchema.ElementType.uint8, scales: [1], zeroPoints: [0], data: [1, 2, 3, 4]))
    #expect(graph.operators.map(\.code) == [3, 22, 114, 2, 114, 32])
    #expect(graph.operators.map(\.version) == [3, 1, 2, 2, 2, 1])
    #expect(graph.operators[2].inputs == [3])
    #expect(graph.operators[3].inputs == [graph.operators[2].outputs[0], 4])
    let joined = graph.tensors[Int(graph.operators[2].outputs[0])]
    #expect(joined == .init(type: GraphSchema.ElementType.int8, scales: [2], zeroPoints: [-108], data: []))
    let read = graph.tensors[Int(graph.operators[5].inputs[0])]
    #expect(read == .init(type: GraphSchema.ElementType.uint8, scales: [2], zeroPoints: [20], data: []))
  }

  /// The quantised graph followed by floats: joined → DEQUANTIZE → a dense layer and EXP in float.
  static func withFloatEnd() -> TestModel {
    var model = TestModel.quantized()
    model.graphs[0].operators.removeLast()
    let floats = model.append(6, [5], makes: [1, 1, 1, 4])
    model.buffers.append([UInt8](repeating: 0, count: 16))
    model.graphs[0].tensors.append(.init(shape: [1, 4], buffer: UInt32(model.buffers.count - 1)))
    let dense = model.append(9, [floats, floats + 1, -1], makes: [1, 1])
    model.graphs[0].outputs = [model.append(47, [dense], makes: [1, 1])]
    return model
  }

  @Test func `floats after a DEQUANTIZE stay unchanged`() throws {
    let (old, new) = try (GraphReading(Self.withFloatEnd().bytes()), Self.rewritten(Self.withFloatEnd()))
    #expect(new.operators.map(\.code) == [3, 22, 114, 2, 6, 9, 47])
    // The DEQUANTIZE reads int8, which its second version does.
    #expect(new.operators[4].version == 2)
    #expect(
      new.tensors[5] == .init(type: GraphSchema.ElementType.int8, scales: [2], zeroPoints: [-108], data: []))
    #expect(new.operators.suffix(3).map(\.inputs) == old.operators.suffix(3).map(\.inputs))
    for tensor in 8..<old.tensors.count { #expect(new.tensors[tensor] == old.tensors[tensor]) }
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var id: String
    var change: @Sendable (inout TestModel) -> Void
    var testDescription: String { id }
  }

  @Test(arguments: [
    Refusal(id: "a float input") { $0.graphs[0].tensors[0] = [1, 1, 1, 4] },
    Refusal(id: "an int8 input") { $0.graphs[0].tensors[0].type = GraphSchema.ElementType.int8 },
    Refusal(id: "an operator that is not known") { $0.graphs[0].operators[0].code = 77 },
    Refusal(id: "a DEQUANTIZE that makes uint8") {
      $0.graphs[0].operators[3] = .init(code: 6, inputs: [5], outputs: [7])
      $0.graphs[0].tensors[7] = .quantized([1, 4], GraphSchema.ElementType.uint8, 1)
    },
    Refusal(id: "two subgraphs") { $0.graphs.append($0.graphs[0]) },
    Refusal(id: "a scale of 0") { $0.graphs[0].tensors[0].scales = [0] },
    Refusal(id: "a scale that is no number") { $0.graphs[0].tensors[0].scales = [.nan] },
    Refusal(id: "two scales") {
      $0.graphs[0].tensors[0].scales = [0.5, 0.5]
      $0.graphs[0].tensors[0].zeroPoints = [128, 128]
    },
    Refusal(id: "fewer weights than the shape") { $0.buffers[1].removeLast() },
    Refusal(id: "a short bias") { $0.buffers[2].removeLast(4) },
    Refusal(id: "weights that another tensor shares") { $0.graphs[0].tensors[6].buffer = 1 },
    Refusal(id: "a zero point outside uint8") { $0.graphs[0].tensors[1].zeroPoints = [256] },
  ])
  func `other models stay unchanged`(_ refusal: Refusal) throws {
    var graph = TestModel.quantized()
    refusal.change(&graph)
    #expect(try Int8Rewrite.rewrite(graph.bytes()) == nil)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a damaged model is an error, unchanged, or rewritten, never a trap`(_ seed: UInt64) {
    let model = TestModel.quantized().bytes()
    var generator = SeededGenerator(seed: seed)
    var unchanged = 0
    for _ in 0..<3000 {
      var damaged = model
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] =
          [0, 1, 127, 128, 255].randomElement(
            using: &generator) ?? 0
      }
      if Bool.random(using: &generator) {
        damaged.removeLast(Int.random(in: 0..<damaged.count, using: &generator))
      }
      if (try? Int8Rewrite.rewrite(damaged)) == nil { unchanged += 1 }
    }
    #expect(unchanged > 0)
  }

  private static func metadata(_ model: [UInt8]) throws -> [UInt8]? {
    var budget = FlatBudget()
    let file = try ModelFile(model.span)
    return try file.metadataRange(in: model.span, &budget).map { Array(model[$0]) }
  }

  struct RealModel: CustomTestStringConvertible, Sendable {
    var path: String
    var channels: Int
    var rounded: Int
    var testDescription: String { path }
  }

  @Test(
    .enabled(if: SharedData.isPresent, "\(SharedData.missing)"),
    arguments: [
      RealModel(
        path: "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite", channels: 12639, rounded: 73),
      RealModel(path: "classify/mlkit_bird.tflite", channels: 18021, rounded: 75),
      RealModel(path: "classify/mlkit_object_labeler.tflite", channels: 11951, rounded: 85),
    ])
  func `nearly all channels of real models stay exact`(_ model: RealModel) throws {
    let bytes = try SharedData.bytes("models/" + model.path)
    let rewrite = try #require(try Int8Rewrite(of: bytes.span))
    #expect(rewrite.channelCount == model.channels)
    #expect(rewrite.roundedChannelCount == model.rounded)
    let result = try #require(try Int8Rewrite.rewrite(bytes))
    #expect(throws: Never.self) { try ModelGraphCheck.check(result.span) }
    // Metadata stays at its place for readers.
    #expect(try Self.metadata(result) == Self.metadata(bytes))
  }

  @Test(
    .enabled(if: SharedData.isPresent, "\(SharedData.missing)"),
    arguments: [
      "detect/yolox_nano.tflite", "classify/vww_person_mobilenet_v1_0.25_96_int8.tflite",
      "classify/tfls_mobilenet_v1_0.25_224_1_default_1.tflite",
    ])
  func `float and int8 models stay unchanged`(_ path: String) throws {
    #expect(try Int8Rewrite.rewrite(SharedData.bytes("models/" + path)) == nil)
  }
}
