// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct HeadWriterTests {
  private static func written(_ model: String, _ head: LinearHead) throws -> GraphReading {
    let bytes = try HeadFixture.graph(model).appending(head)
    try ModelGraphCheck.check(bytes.span)
    return try GraphReading(bytes)
  }

  private static func floats(_ bytes: [UInt8]) -> [Float] {
    stride(from: 0, to: bytes.count, by: 4).map { start in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) })
    }
  }

  private static func int32s(_ bytes: [UInt8]) -> [Int32] {
    floats(bytes).map { Int32(bitPattern: $0.bitPattern) }
  }

  @Test func `a float head on floats`() throws {
    var head = HeadFixture.head()
    head.activation = .logistic
    let graph = try Self.written("logits", head)
    #expect(graph.operators.map(\.code) == [3, 40, 9, 14])
    #expect(graph.operators.suffix(2).map(\.version) == [1, 1])
    let weights = graph.tensors[Int(graph.operators[2].inputs[1])]
    #expect(Self.floats(weights.data) == head.weights)
    #expect(Self.floats(graph.tensors[Int(graph.operators[2].inputs[2])].data) == head.bias)
  }

  @Test func `a float head on uint8 starts with a DEQUANTIZE`() throws {
    let graph = try Self.written("classifier_uint8", HeadFixture.head(.float))
    #expect(graph.operators.map(\.code) == [3, 4, 1, 6, 9, 25])
    #expect(graph.operators.map(\.version) == [1, 1, 1, 1, 1, 1])
    #expect(graph.tensors[Int(graph.operators[5].outputs[0])].type == GraphSchema.ElementType.float32)
  }

  @Test func `a uint8 head has AutoML's form`() throws {
    let graph = try Self.written("classifier_uint8", HeadFixture.head())
    #expect(graph.operators.map(\.code) == [3, 4, 1, 9, 25])
    #expect(graph.operators.map(\.version) == [1, 1, 1, 1, 1])
    let dense = graph.operators[3]
    let (input, weights) = (graph.tensors[Int(dense.inputs[0])], graph.tensors[Int(dense.inputs[1])])
    // −4…4 in 254 steps, one of which is 0.
    #expect(weights.type == GraphSchema.ElementType.uint8)
    #expect(weights.scales == [8 / 254])
    #expect(weights.zeroPoints == [128])
    #expect(weights.data == [160, 65, 144, 128, 128, 128, 136, 255, 1])
    let bias = graph.tensors[Int(dense.inputs[2])]
    #expect(bias.scales == [weights.scales[0] * input.scales[0]])
    #expect(Self.int32s(bias.data) == [675, -1349, 0])
    let logits = graph.tensors[Int(dense.outputs[0])]
    #expect(logits.scales == [8 / 255])
    #expect(logits.zeroPoints == [96])
    #expect(
      graph.tensors[Int(graph.operators[4].outputs[0])]
        == .init(type: GraphSchema.ElementType.uint8, scales: [1 / 256], zeroPoints: [0], data: []))
  }

  @Test func `an int8 head has a scale for each class, and uint8 scores`() throws {
    // The same graph in int8.
    let model = try #require(try Int8Rewrite.rewrite(HeadFixture.model("classifier_uint8")))
    let cut = try EmbeddingGraph(model: model, name: "int8")
    #expect(cut.quantization == TensorScale(.int8, scale: 0.023529412, zeroPoint: -128))
    let graph = try GraphReading(cut.appending(HeadFixture.head()))
    #expect(graph.operators.map(\.code) == [3, 4, 1, 9, 25, 114])
    #expect(graph.operators.suffix(3).map(\.version) == [12, 2, 1])
    let dense = graph.operators[3]
    let weights = graph.tensors[Int(dense.inputs[1])]
    #expect(weights.type == GraphSchema.ElementType.int8)
    #expect(weights.zeroPoints == [0, 0, 0])
    #expect(weights.scales[0] == 2 / 127 && weights.scales[2] == 4 / 127)
    // 63.5, −127, 31.75: their sum is −31.75.
    #expect(weights.data.map { Int8(bitPattern: $0) } == [63, -127, 32, 0, 0, 0, 8, 127, -127])
    let logits = graph.tensors[Int(dense.outputs[0])]
    #expect(logits.zeroPoints == [-32])
    let scores = graph.tensors[Int(graph.operators[5].outputs[0])]
    #expect(
      scores == .init(type: GraphSchema.ElementType.uint8, scales: [1 / 256], zeroPoints: [0], data: []))
  }

  @Test func `the bias compensates for the rounding at the mean embedding`() throws {
    var head = HeadFixture.head()
    head.mean = [1, 0.5, 2]
    let plain = try Self.written("classifier_uint8", HeadFixture.head())
    let corrected = try Self.written("classifier_uint8", head)
    let dense = corrected.operators[3]
    let weights = corrected.tensors[Int(dense.inputs[1])]
    #expect(weights == plain.tensors[Int(dense.inputs[1])])
    let bias = corrected.tensors[Int(dense.inputs[2])]
    for (row, value) in Self.int32s(bias.data).enumerated() {
      var (exact, stored) = (head.bias[row], Float(value) * bias.scales[0])
      for column in 0..<3 {
        exact += head.weights[3 * row + column] * head.mean[column]
        stored += Float(Int(weights.data[3 * row + column]) - 128) * weights.scales[0] * head.mean[column]
      }
      #expect(abs(exact - stored) <= bias.scales[0])
    }
    #expect(bias != plain.tensors[Int(dense.inputs[2])])
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var message: String
    var change: @Sendable (inout LinearHead) -> Void
  }

  @Test(arguments: [
    Refusal(testDescription: "no class", message: "The head has 0 classes; expected 1 to 10000") {
      ($0.weights, $0.bias) = ([], [])
    },
    Refusal(
      testDescription: "one weight too few",
      message: "The head has 8 weights; 3 classes of 3 numbers need 9"
    ) { $0.weights.removeLast() },
    Refusal(
      testDescription: "a weight that is not a number",
      message: "The head has nan among its weights, bias, logits and mean, expected numbers up to 2^40"
    ) { $0.weights[4] = .nan },
    Refusal(
      testDescription: "logits without an end",
      message: "The head has inf among its weights, bias, logits and mean, expected numbers up to 2^40"
    ) { $0.logitRange = -3 ... .infinity },
    Refusal(testDescription: "a short mean", message: "The mean has 2 numbers, the embedding 3") {
      $0.mean = [1, 2]
    },
    Refusal(testDescription: "int8", message: "The head has the form int8, but the embedding is uint8") {
      $0.form = .int8
    },
  ])
  func `a head that does not fit is rejected`(_ refusal: Refusal) throws {
    let graph = try HeadFixture.graph("classifier_uint8")
    var head = HeadFixture.head()
    refusal.change(&head)
    let error = failure { () throws(MetadataError) in try graph.appending(head) }
    #expect(error?.code == .cannotWrite)
    #expect(error?.message == refusal.message)
  }

  @Test func `a quantised head does not fit floats`() throws {
    let graph = try HeadFixture.graph("logits")
    let error = failure { () throws(MetadataError) in try graph.appending(HeadFixture.head(.uint8)) }
    #expect(error?.message == "The head has the form uint8, but the embedding is float")
    #expect(error?.remedy == "Use a float head")
  }

  @Test(
    arguments: [
      (0, 0, 0), (1e-30, 1e12, 1e-20), (1e12, 1e12, 1e12), (.leastNonzeroMagnitude, 0, 0), (1, 1e9, 1),
      (-1, -1e9, 1),
    ] as [(Float, Float, Float)])
  func `any head gives numbers in order`(_ weight: Float, _ bias: Float, _ logit: Float)
    throws
  {
    let head = LinearHead(
      weights: [weight, 0, -weight], bias: [bias], logitRange: -abs(logit)...abs(logit))
    let uint8 = try HeadFixture.graph("classifier_uint8")
    let model = try #require(try Int8Rewrite.rewrite(HeadFixture.model("classifier_uint8")))
    let int8 = try EmbeddingGraph(model: model, name: "int8")
    for graph in [uint8, int8] {
      let bytes = try graph.appending(head)
      #expect(throws: Never.self) { try ModelGraphCheck.check(bytes.span) }
    }
  }
}
