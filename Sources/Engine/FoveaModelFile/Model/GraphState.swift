// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The state that a graph keeps between runs inside its operators, which LiteRT's compiled models do not
/// support.
package struct GraphState: Sendable, Hashable {
  /// The operator that uses the state tensors; nil for an operator without a known name.
  private let operatorName: String?

  /// Built-in operators with state.
  private static let known: Set<BuiltinOperator> = [
    .lstm, .rnn, .svdf, .unidirectionalSequenceLstm, .unidirectionalSequenceRnn, .bidirectionalSequenceRnn,
    .bidirectionalSequenceLstm,
  ]

  /// Finds the first operator that uses a state tensor.
  /// - Parameter bytes: The whole model file.
  /// - Returns: The state; nil for a graph without state.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> GraphState? {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    let kinds = try OperatorKind.all(root, in: bytes, &budget)
    guard let main = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget).first else { return nil }
    var variables: Set<UInt32> = []
    for (index, tensor) in try main.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget).enumerated()
    where try tensor.uint8(GraphSchema.Tensor.isVariable, in: bytes) != 0 { variables.insert(UInt32(index)) }
    guard !variables.isEmpty else { return nil }
    for node in try main.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let inputs = try node.uint32s(GraphSchema.Operator.inputs, in: bytes, &budget)
      guard inputs.contains(where: variables.contains) else { continue }
      let code = Int(try node.uint32(GraphSchema.Operator.code, in: bytes))
      guard kinds.indices.contains(code) else { continue }
      let builtin = kinds[code].builtin.flatMap { known.contains($0) ? $0 : nil }
      return GraphState(operatorName: builtin?.name ?? kinds[code].customName)
    }
    return nil
  }

  /// The state as a clause: "its operator LSTM keeps …".
  package var what: String {
    (operatorName.map { "its operator \($0)" } ?? "an operator")
      + " keeps state between runs inside the graph"
  }

  /// The advice for exporting a model without such state.
  package var remedy: Advice {
    "Export it without such operators, in Keras with LSTM(unroll=True), or with its state as inputs and "
      + "outputs"
  }
}
