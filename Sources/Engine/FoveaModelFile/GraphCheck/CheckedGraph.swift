// SPDX-License-Identifier: Apache-2.0

/// A subgraph with checked tensors, whose operators refer only to existing tensors.
struct CheckedGraph {
  struct Node {
    let table: FlatTable
    let kind: OperatorKind
    let inputs: [Int]
    let outputs: [Int]
    /// The options of an operator that requires a FlexBuffer.
    let options: FlexMap?
  }

  let tensors: [CheckedTensor]
  let nodes: [Node]
  let inputs: [Int]
  let outputs: [Int]
  /// The subgraphs that the operators call.
  let calls: [Int]

  private enum Field {
    static let intermediates = FlatField(8, "operators.intermediates")
    static let newOptions = FlatField(12, "operators.builtin_options_2")
  }

  /// Reads a subgraph.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, tables SubGraph and Operator.
  init(
    _ table: FlatTable, kinds: [OperatorKind], buffers: [ModelBuffer], in bytes: Span<UInt8>,
    _ budget: inout FlatBudget
  ) throws(MetadataError) {
    typealias Schema = GraphSchema.Subgraph
    var tensors: [CheckedTensor] = []
    for tensor in try table.tables(Schema.tensors, in: bytes, &budget) {
      tensors.append(try CheckedTensor(tensor, tensors.count, buffers: buffers, in: bytes, &budget))
    }
    self.tensors = tensors
    let count = tensors.count
    inputs = try table.int32s(Schema.inputs, in: bytes, &budget)
    outputs = try table.int32s(Schema.outputs, in: bytes, &budget)
    if let tensor = (inputs + outputs).first(where: { !tensors.indices.contains($0) }) {
      throw .damaged("an input or output of the model is tensor \(tensor), but it has \(count) tensors")
    }
    var nodes: [Node] = []
    var calls: [Int] = []
    for node in try table.tables(Schema.operators, in: bytes, &budget) {
      let position = nodes.count
      let code = Int(try node.uint32(GraphSchema.Operator.code, in: bytes))
      guard kinds.indices.contains(code) else {
        throw .damaged("operator \(position) has the code \(code), but the model lists \(kinds.count) codes")
      }
      let kind = kinds[code]
      let inputs = try node.int32s(GraphSchema.Operator.inputs, in: bytes, &budget)
      let outputs = try node.int32s(GraphSchema.Operator.outputs, in: bytes, &budget)
      let inner = try node.int32s(Field.intermediates, in: bytes, &budget)
      guard inputs.count >= kind.minimumInputs, outputs.count >= kind.minimumOutputs else {
        throw .damaged(
          "operator \(position) has \(inputs.count) inputs and \(outputs.count) outputs;"
            + " its kind needs at least \(kind.minimumInputs) and \(kind.minimumOutputs)")
      }
      let needed = inputs.prefix(kind.firstOptionalInput ?? inputs.count)
      guard
        let tensor = (needed + outputs).first(where: { $0 < 0 })
          ?? (inputs + outputs + inner).first(where: { $0 < -1 || $0 >= count })
      else {
        let options = try Self.options(of: node, kind, position, in: bytes, &budget)
        nodes.append(Node(table: node, kind: kind, inputs: inputs, outputs: outputs, options: options))
        calls += try Self.calls(of: node, kind, in: bytes, &budget)
        continue
      }
      throw .damaged("operator \(position) uses tensor \(tensor), but the model has \(count) tensors")
    }
    self.nodes = nodes
    self.calls = calls
  }

  /// Returns the options of operators that read them as a FlexBuffer.
  private static func options(
    of node: FlatTable, _ kind: OperatorKind, _ position: Int, in bytes: Span<UInt8>,
    _ budget: inout FlatBudget
  ) throws(MetadataError) -> FlexMap? {
    guard kind.hasFlexOptions else { return nil }
    let options = try node.bytes(GraphSchema.Operator.customOptions, in: bytes, &budget) ?? []
    guard let map = FlexMap(options), map.isPlain else {
      throw .damaged(
        "the options of operator \(position), \(kind.customName ?? ""), are not a table of numbers"
          + " (\(options.count) bytes)")
    }
    return map
  }

  /// Returns the subgraphs that an operator calls; an omitted option means subgraph 0.
  private static func calls(
    of node: FlatTable, _ kind: OperatorKind, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [Int] {
    let (isNew, fields) = kind.calledSubgraphs
    guard !fields.isEmpty else { return [] }
    let field = isNew ? Field.newOptions : GraphSchema.Operator.options
    guard let options = try node.table(field, in: bytes, &budget) else { return fields.map { _ in 0 } }
    var result: [Int] = []
    for id in fields {
      result.append(
        Int(Int32(bitPattern: try options.uint32(FlatField(id, "options.subgraph_index"), in: bytes))))
    }
    return result
  }
}
