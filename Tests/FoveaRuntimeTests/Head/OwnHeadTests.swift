// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime
import FoveaTesting
import Testing

/// A model whose own last layer is removed and added again gives the same output: the embedding is the
/// model's own.
@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct OwnHeadTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    /// The numbers of the tensors with the weights and the bias of the last layer.
    var weights: Int
    var bias: Int
    var tolerance: Float
    var testDescription: String { name }
  }

  @Test(arguments: [
    Row(name: "tfls_mobilenet_v1_0.25_224_1_default_1", weights: 30, bias: 29, tolerance: 1e-5),
    // The stored layer rounds its logits to steps of 0.1.
    Row(name: "coral_mobilenet_v2_1.0_224_quant", weights: 170, bias: 2, tolerance: 0.03),
  ])
  func `a model's own head gives its own scores`(_ row: Row) throws {
    let bytes = try SharedData.bytes("models/classify/\(row.name).tflite")
    let tensors = try GraphReading(bytes).tensors
    let weights = Self.numbers(tensors[row.weights])
    let bias = Self.numbers(tensors[row.bias])
    let graph = try EmbeddingGraph(model: bytes, name: row.name)
    let head = LinearHead(weights: weights, bias: bias, form: .float, logitRange: -20...20)
    let old = try Session(model: Model(bytes: bytes, name: "old"))
    let new = try Session(model: Model(bytes: graph.appending(head), name: "new"))
    for seed in 1...3 as ClosedRange<UInt64> {
      let (expected, actual) = try (HeadedModel.scores(old, seed), HeadedModel.scores(new, seed))
      let worst = zip(actual, expected).map { abs($0 - $1) }.max() ?? 1
      #expect(worst <= row.tolerance)
    }
  }

  private static func numbers(_ tensor: GraphReading.Tensor) -> [Float] {
    guard let scale = tensor.scales.first else { return words(tensor).map { Float(bitPattern: $0) } }
    let zeroPoint = Float(tensor.zeroPoints[0])
    if tensor.type == 3 { return tensor.data.map { (Float($0) - zeroPoint) * scale } }
    return words(tensor).map { Float(Int32(bitPattern: $0)) * scale }
  }

  private static func words(_ tensor: GraphReading.Tensor) -> [UInt32] {
    stride(from: 0, to: tensor.data.count, by: 4).map { start in
      (0..<4).reduce(0) { $0 | UInt32(tensor.data[start + $1]) << (8 * UInt32($1)) }
    }
  }
}
