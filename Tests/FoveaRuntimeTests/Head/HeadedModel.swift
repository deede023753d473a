// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaMetadata
import FoveaRuntime
import FoveaTesting

/// A model whose embedding is used, and a head on it.
struct HeadedModel {
  let graph: EmbeddingGraph
  private let cut: Session

  init(_ model: [UInt8], _ layer: EmbeddingLayer = .pool) throws {
    graph = try EmbeddingGraph(model: model, name: "model", layer: layer)
    cut = try Session(model: Model(bytes: graph.bytes(), name: "cut"))
  }

  /// The embedding of an image of noise.
  func embedding(_ seed: UInt64) throws -> [Float] {
    try Self.fill(cut, seed)
    try cut.run()
    var numbers: [Float] = []
    try cut.readNumbers(output: 0, into: &numbers)
    return numbers
  }

  /// The scores of a whole model for the same image.
  static func scores(_ session: Session, _ seed: UInt64) throws -> [Float] {
    try fill(session, seed)
    try session.run()
    var numbers: [Float] = []
    try session.readNumbers(output: 0, into: &numbers)
    return numbers
  }

  /// Noise whose brightness and grain vary between images.
  private static func fill(_ session: Session, _ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = session.inputs[0].elementCount ?? 0
    let base = Int.random(in: 0...155, using: &generator)
    let grain = Int.random(in: 1...40, using: &generator)
    var pixels: [UInt8] = []
    for index in 0..<min(count, 8191) {
      pixels.append(
        UInt8(base + (index / grain * 37 % 64 + Int.random(in: 0...35, using: &generator)) % 100))
    }
    // Cached: a large image takes long to draw.
    while pixels.count < count { pixels += pixels }
    pixels.removeLast(pixels.count - count)
    switch session.inputs[0].elementType {
    case .uint8: try session.write(pixels, toInput: 0)
    case .int8: try session.write(pixels.map { Int8(bitPattern: $0 &- 128) }, toInput: 0)
    default: try session.write(pixels.map { (Float($0) - 127.5) / 127.5 }, toInput: 0)
    }
  }

  /// A head with one class for each of some images, with logits of at most ±4.
  ///
  /// Weights point from the mean to the image, like trained ones: rounding them costs little.
  static func head(
    for embeddings: [[Float]], _ form: LinearHead.Form, _ activation: LinearHead.Activation = .softmax
  ) -> LinearHead {
    let mean = embeddings[0].indices.map { place in
      embeddings.reduce(0) { $0 + $1[place] } / Float(embeddings.count)
    }
    var head = LinearHead(
      weights: [], bias: [], activation: activation, form: form, logitRange: 0...0, mean: mean)
    let differences = embeddings.map { zip($0, mean).map { $0 - $1 } }
    let largest = max(differences.map { dot($0, $0) }.max() ?? 0, 1e-9)
    for difference in differences {
      let row = difference.map { $0 * 4 / largest }
      head.weights += row
      head.bias.append(0.1 - dot(row, mean))
    }
    let logits = embeddings.flatMap { Self.logits(head, $0) }
    head.logitRange = (logits.min() ?? 0)...(logits.max() ?? 0)
    return head
  }

  private static func dot(_ first: some Sequence<Float>, _ second: some Sequence<Float>) -> Float {
    Float(zip(first, second).reduce(0 as Double) { $0 + Double($1.0) * Double($1.1) })
  }

  private static func logits(_ head: LinearHead, _ embedding: [Float]) -> [Float] {
    head.bias.indices.map { row in
      let weights = head.weights[row * embedding.count..<(row + 1) * embedding.count]
      return dot(weights, embedding) + head.bias[row]
    }
  }

  /// The output of a head, computed by hand.
  static func scores(_ head: LinearHead, _ embedding: [Float]) -> [Float] {
    let logits = logits(head, embedding)
    guard head.activation == .softmax else { return logits.map { 1 / (1 + exp(-$0)) } }
    let powers = logits.map { exp($0 - (logits.max() ?? 0)) }
    return powers.map { $0 / powers.reduce(0, +) }
  }
}
