// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The position of the embedding in a graph.
struct EmbeddingPoint {
  /// The tensor.
  let tensor: Int
  /// The number of its elements.
  let count: Int

  /// The maximum number of elements of an embedding.
  static let maximumCount = 16_384

  /// Finds the embedding.
  /// - Throws: `noEmbedding`, which names the last operators of the graph.
  init(_ layer: EmbeddingLayer, in graph: SourceGraph, _ bytes: Span<UInt8>) throws(MetadataError) {
    try Self.checkInput(graph)
    switch layer {
    case .tensor(let name): tensor = try Self.tensor(named: name, in: graph)
    case .last: tensor = try Self.lastDense(in: graph).input
    case .pool:
      let end = Self.end(of: graph)
      guard let pooled = try Self.pool(before: end.input, in: graph, bytes) else {
        // If there is no dense layer, report that as the reason.
        _ = try Self.lastDense(in: graph)
        throw MetadataError(
          .noEmbedding, "has no mean over height and width before its last dense layer",
          remedy:
            "Use 'last', the input of that layer, or the name of a tensor as \(term: .layer)")
      }
      tensor = pooled
    }
    let found = graph.tensors[tensor]
    guard let count = found.count, found.shape.first == 1 || found.shape.isEmpty else {
      throw .noEmbedding(
        "has an embedding of the shape \(found.shape), expected one of fixed size for one image")
    }
    guard count <= Self.maximumCount else {
      throw .noEmbedding("has an embedding of \(count) numbers, expected at most \(Self.maximumCount)")
    }
    self.count = count
  }

  private static func checkInput(_ graph: SourceGraph) throws(MetadataError) {
    if graph.tensors.contains(where: \.isVariable) || graph.nodes.contains(where: \.kind.isState) {
      throw .noEmbedding("keeps state between runs")
    }
    if let node = graph.nodes.first(where: \.kind.isDetection) {
      throw .noEmbedding("is a detector: it has the operator \(node.kind)")
    }
    guard graph.inputs.count == 1 else {
      throw .noEmbedding("has \(graph.inputs.count) inputs, expected one image")
    }
    guard !graph.outputs.isEmpty else { throw .noEmbedding("has no output") }
    let input = graph.tensors[graph.inputs[0]]
    guard input.shape.count == 4, input.shape[0] == 1, input.count != nil else {
      let shape = input.signature.isEmpty ? input.shape : input.signature
      throw .noEmbedding("has an input \(shape), expected one image of a fixed size, [1, height, width, 3]")
    }
  }

  private static func tensor(named name: String, in graph: SourceGraph) throws(MetadataError) -> Int {
    let candidates = graph.tensors.indices.filter { graph.isComputed[$0] && graph.makers[$0] != nil }
    if let found = candidates.first(where: { graph.tensors[$0].name == name }) { return found }
    // Names of fused layers can be very long, and no one types them.
    let names = candidates.suffix(1_000).map { graph.tensors[$0].name }.filter { 1...200 ~= $0.utf8.count }
    let near = NameDistance.nearest(to: name, among: names).map { "'\($0)'" }.joined(separator: ", ")
    throw MetadataError(
      .noEmbedding, "computes no tensor '\(name)'",
      remedy: near.isEmpty ? "Use 'pool' or 'last' as \(term: .layer)" : "Similar names are \(near)")
  }
}

/// The numbers of a model that a custom head uses.
package enum EmbeddingLayer: Sendable, Equatable {
  /// The mean of the last feature map over its height and width, before any dense layer.
  case pool
  /// The input of the last dense layer; the same as `pool` if the model has no hidden dense layers.
  case last
  /// A tensor by its name in the graph.
  case tensor(String)
}

extension MetadataError {
  /// Returns the error for a model to which no head can be added; the reason follows the model's name.
  static func noEmbedding(_ reason: String) -> MetadataError {
    MetadataError(
      .noEmbedding, reason,
      remedy:
        "Use an image classifier that ends in a dense layer, such as the embedded classifier or "
        + "mobilenet-v2-imagenet")
  }

  /// Returns the same error with the model's name in front.
  func naming(_ model: String) -> MetadataError {
    code == .noEmbedding
      ? MetadataError(code, "'\(model)' \(message)", remedy: remedy) : prefixed("'\(model)'")
  }
}
