// SPDX-License-Identifier: Apache-2.0

extension EmbeddingPoint {
  /// The end of a graph: the tensor before the scores, and whether a dense layer computes them.
  struct End {
    /// The input of the dense layer or, without one, of the operators after it.
    let input: Int
    let isDense: Bool
  }

  /// Returns the end of the graph, traced back from output 0 over operators that only convert scores.
  static func end(of graph: SourceGraph) -> End {
    var tensor = graph.outputs[0]
    // Known models have up to four such operators.
    for _ in 0..<16 {
      guard let node = graph.maker(of: tensor), let input = node.inputs.first, input >= 0 else { break }
      if isDense(node, in: graph) { return End(input: input, isDense: true) }
      guard node.kind.isCarrier else { break }
      tensor = input
    }
    return End(input: tensor, isDense: false)
  }

  /// Returns the end of the graph, which must be a dense layer.
  /// - Throws: `noEmbedding` with the last operators.
  static func lastDense(in graph: SourceGraph) throws(MetadataError) -> End {
    let end = end(of: graph)
    guard end.isDense else { throw .noEmbedding("ends in \(names(atEndOf: graph)), not in a dense layer") }
    return end
  }

  /// Returns whether an operator multiplies all numbers of its input with constant weights: a fully connected
  /// layer, or a 1 × 1 convolution of one pixel.
  private static func isDense(_ node: SourceGraph.Node, in graph: SourceGraph) -> Bool {
    guard [.fullyConnected, .conv2D].contains(node.kind.builtin),
      node.inputs.count >= 2, node.inputs[0] >= 0, node.inputs[1] >= 0
    else { return false }
    let (input, weights) = (graph.tensors[node.inputs[0]], graph.tensors[node.inputs[1]])
    guard graph.isComputed[node.inputs[0]], !graph.isComputed[node.inputs[1]], let count = input.count,
      input.shape.first == 1
    else { return false }
    return node.kind.builtin == .fullyConnected
      ? weights.shape.count == 2 && weights.shape[1] == count
      : input.shape == [1, 1, 1, count] && weights.shape.count == 4 && weights.shape[1...] == [1, 1, count]
  }

  /// Returns the names of the last operators for output 0, in order.
  private static func names(atEndOf graph: SourceGraph) -> String {
    var names: [String] = []
    var open: Set = [graph.outputs[0]]
    for node in graph.nodes.reversed() where names.count < 4 && node.outputs.contains(where: open.contains) {
      names.append(node.kind.description)
      open.formUnion(node.inputs)
    }
    return names.isEmpty ? "its input" : names.reversed().joined(separator: ", ")
  }
}
