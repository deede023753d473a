// SPDX-License-Identifier: Apache-2.0

/// Detects graphs that compute the shapes of their own tensors.
///
/// Operators after such a tensor are prepared during a run, so only a run shows whether they work.
package enum ComputedShapes {
  /// Operators whose second input is a shape or a size.
  private static let shaped: Set<BuiltinOperator?> = [
    .reshape, .resizeBilinear, .slice, .tile, .resizeNearestNeighbor, .broadcastTo,
  ]

  /// Reads the first subgraph.
  /// - Parameter bytes: The whole model file.
  /// - Returns: Whether an operator computes the output shape of another one; false for models with several
  ///   subgraphs, which may have loops and must not be run unless requested.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func areThere(in bytes: Span<UInt8>) throws(MetadataError) -> Bool {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    let kinds = try OperatorKind.all(root, in: bytes, &budget)
    let graphs = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)
    guard let main = graphs.first, graphs.count == 1 else { return false }
    var computed = Set(try main.uint32s(GraphSchema.Subgraph.inputs, in: bytes, &budget))
    for node in try main.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let code = Int(try node.uint32(GraphSchema.Operator.code, in: bytes))
      let inputs = try node.uint32s(GraphSchema.Operator.inputs, in: bytes, &budget)
      if kinds.indices.contains(code), shaped.contains(kinds[code].builtin), inputs.count > 1,
        computed.contains(inputs[1])
      {
        return true
      }
      computed.formUnion(try node.uint32s(GraphSchema.Operator.outputs, in: bytes, &budget))
    }
    return false
  }
}
