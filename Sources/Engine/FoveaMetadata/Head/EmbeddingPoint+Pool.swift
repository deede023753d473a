// SPDX-License-Identifier: Apache-2.0

extension EmbeddingPoint {
  /// Returns the last mean over a whole feature map through which all of a tensor's information from the
  /// image passes.
  ///
  /// Traverses the operators backwards with the set of needed tensors. If only one tensor is left, everything
  /// passes through it; thus the means inside squeeze-and-excitation blocks are skipped.
  /// - Complexity: Linear in the number of operators.
  static func pool(
    before tensor: Int, in graph: SourceGraph, _ bytes: Span<UInt8>
  ) throws(MetadataError) -> Int? {
    var open: Set = [tensor]
    for node in graph.nodes.reversed() {
      let made = node.outputs.filter(open.contains)
      guard let first = made.first else { continue }
      if open.count == 1, try isPool(node, in: graph, bytes) { return first }
      open.subtract(made)
      for input in node.inputs where input >= 0 && graph.isComputed[input] { open.insert(input) }
    }
    return nil
  }

  /// Returns whether an operator reduces each channel of a map to one number.
  private static func isPool(
    _ node: SourceGraph.Node, in graph: SourceGraph, _ bytes: Span<UInt8>
  ) throws(MetadataError) -> Bool {
    guard let input = node.inputs.first, input >= 0, let output = node.outputs.first else { return false }
    let map = graph.tensors[input].shape
    guard map.count == 4, map[0] == 1, let count = graph.tensors[output].count else { return false }
    switch node.kind.builtin {
    case .averagePool2D: return graph.tensors[output].shape == [1, 1, 1, map[3]]
    case .mean:
      guard node.inputs.count > 1, node.inputs[1] >= 0,
        let axes = try graph.axes(node.inputs[1], in: bytes)
      else { return false }
      return axes == [1, 2] && count == map[3] || axes == [2, 3] && count == map[1]
    default: return false
    }
  }
}

extension SourceGraph {
  /// Returns a constant's numbers as axes of four dimensions; nil if they are not axes.
  fileprivate func axes(_ tensor: Int, in bytes: Span<UInt8>) throws(MetadataError) -> Set<Int>? {
    guard tensors[tensor].type == GraphSchema.ElementType.int32,
      buffers.indices.contains(tensors[tensor].buffer),
      let data = try buffers[tensors[tensor].buffer].vector(ModelFile.Field.bufferData, stride: 1, in: bytes),
      data.count.isMultiple(of: 4), (4...16).contains(data.count)
    else { return nil }
    var axes: Set<Int> = []
    for position in stride(from: data.start, to: data.start + data.count, by: 4) {
      let axis = Int(Int32(bitPattern: try bytes.uint32(at: position, "an axis")))
      axes.insert(axis < 0 ? axis + 4 : axis)
    }
    return axes
  }
}
