// SPDX-License-Identifier: Apache-2.0

/// Finds graphs that the runtime would follow outside its own memory.
///
/// LiteRT checks that a model is a valid FlatBuffer, but not that an operator's tensors exist before it plans with
/// them: one whose first input is -1 ("left out") ends the process there.
public enum ModelGraphCheck {
  private enum Field {
    static let tensors = FlatField(0, "subgraphs.tensors")
    static let operators = FlatField(3, "subgraphs.operators")
    static let inputs = FlatField(1, "operators.inputs")
    static let outputs = FlatField(2, "operators.outputs")
  }

  /// Checks every tensor's shape and zero points, and that the tensors of every operator are there.
  ///
  /// Which inputs may be left out differs; of the operators with up to three inputs only the third, a bias, may.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, tables SubGraph and Operator.
  /// - Parameter bytes: The whole model file.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  public static func check(_ bytes: Span<UInt8>) throws(MetadataError) {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    for subgraph in try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget) {
      let tensors = try subgraph.vector(Field.tensors, stride: 4, in: bytes)?.count ?? 0
      for (position, tensor) in try subgraph.tables(Field.tensors, in: bytes, &budget).enumerated() {
        try checkTensor(tensor, position, in: bytes, &budget)
      }
      for (position, node) in try subgraph.tables(Field.operators, in: bytes, &budget).enumerated() {
        let inputs = try node.uint32s(Field.inputs, in: bytes, &budget).map(Int32.init(bitPattern:))
        let outputs = try node.uint32s(Field.outputs, in: bytes, &budget).map(Int32.init(bitPattern:))
        let needed = inputs.count <= 3 ? 2 : 1
        if let tensor = (inputs.prefix(needed) + outputs).first(where: { $0 < 0 })
          ?? (inputs + outputs).first(where: { $0 < -1 || Int($0) >= tensors })
        {
          throw .damaged("operator \(position) uses tensor \(tensor), but the model has \(tensors) tensors")
        }
      }
    }
  }
}
