// SPDX-License-Identifier: Apache-2.0

/// The graph of a checked model with one subgraph, in the form that is needed for cutting and rewriting it.
package struct SourceGraph {
  package struct Tensor {
    package let table: FlatTable
    package let name: String
    package let type: UInt8
    package let shape: [Int]
    /// The shape with -1 for dimensions known only when the model runs; empty if there are none.
    package let signature: [Int]
    package let buffer: Int
    package let isVariable: Bool
  }

  package struct Node {
    package let table: FlatTable
    /// The index into the list of operator codes.
    package let code: Int
    package let kind: OperatorName
    package let inputs: [Int]
    package let outputs: [Int]
  }

  package let root: FlatTable
  package let subgraph: FlatTable
  package let codes: [FlatTable]
  package let buffers: [FlatTable]
  package let tensors: [Tensor]
  package let nodes: [Node]
  package let inputs: [Int]
  package let outputs: [Int]
  /// Whether each tensor depends on the model's input; the others are constants, or computed from constants.
  package let isComputed: [Bool]
  /// The index of the operator that computes each tensor.
  package let makers: [Int: Int]

  /// Reads the graph of a model that has passed `ModelGraphCheck`.
  /// - Parameters:
  ///   - bytes: The whole model file.
  ///   - budget: The limit on what is read.
  ///   - refusal: Makes the error for a model with several subgraphs.
  /// - Throws: `refusal`, `notAModel` or `damagedModel`.
  package init(
    _ bytes: Span<UInt8>, _ budget: inout FlatBudget, refusal: (String) -> MetadataError
  ) throws(MetadataError) {
    root = try ModelFile(bytes).root
    let subgraphs = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)
    guard subgraphs.count == 1 else { throw refusal("has \(subgraphs.count) subgraphs, expected 1") }
    subgraph = subgraphs[0]
    codes = try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget)
    buffers = try root.tables(ModelFile.Field.buffers, in: bytes, &budget)
    inputs = try subgraph.int32s(GraphSchema.Subgraph.inputs, in: bytes, &budget)
    outputs = try subgraph.int32s(GraphSchema.Subgraph.outputs, in: bytes, &budget)
    var tensors: [Tensor] = []
    for table in try subgraph.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget) {
      tensors.append(try Tensor(table, in: bytes, &budget))
    }
    self.tensors = tensors
    var kinds: [OperatorName] = []
    for code in codes { kinds.append(try OperatorName(code, in: bytes, &budget)) }
    var nodes: [Node] = []
    for table in try subgraph.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let code = Int(try table.uint32(GraphSchema.Operator.code, in: bytes))
      let inputs = try table.int32s(GraphSchema.Operator.inputs, in: bytes, &budget)
      let outputs = try table.int32s(GraphSchema.Operator.outputs, in: bytes, &budget)
      guard kinds.indices.contains(code), inputs.allSatisfy({ $0 >= -1 && $0 < tensors.count }),
        outputs.allSatisfy({ $0 >= 0 && $0 < tensors.count })
      else { throw .damaged("operator \(nodes.count) uses codes or tensors that the model does not have") }
      nodes.append(Node(table: table, code: code, kind: kinds[code], inputs: inputs, outputs: outputs))
    }
    self.nodes = nodes
    guard (inputs + outputs).allSatisfy(tensors.indices.contains) else {
      throw .damaged("an input or output of the model is a tensor that it does not have")
    }
    var isComputed = [Bool](repeating: false, count: tensors.count)
    var makers: [Int: Int] = [:]
    for input in inputs { isComputed[input] = true }
    for (place, node) in nodes.enumerated() {
      let depends = node.inputs.contains { $0 >= 0 && isComputed[$0] }
      for output in node.outputs {
        makers[output] = place
        if depends { isComputed[output] = true }
      }
    }
    self.isComputed = isComputed
    self.makers = makers
  }

  /// Returns the indices of the operators that tensors need, in their order.
  package func nodes(neededFor tensors: Set<Int>) -> [Int] {
    var needed = tensors
    var found: [Int] = []
    for (place, node) in nodes.enumerated().reversed() where node.outputs.contains(where: needed.contains) {
      needed.formUnion(node.inputs)
      found.append(place)
    }
    return found.reversed()
  }

  /// Returns the operator that computes a tensor; nil for inputs and constants.
  package func maker(of tensor: Int) -> Node? { makers[tensor].map { nodes[$0] } }
}

extension SourceGraph.Tensor {
  fileprivate init(
    _ table: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) {
    typealias Field = GraphSchema.Tensor
    self.table = table
    name = try table.string(Field.name, in: bytes, &budget) ?? ""
    type = try table.uint8(Field.type, in: bytes)
    shape = try table.int32s(Field.shape, in: bytes, &budget)
    signature = try table.int32s(Field.shapeSignature, in: bytes, &budget)
    buffer = Int(try table.uint32(Field.buffer, in: bytes))
    isVariable = try table.uint8(Field.isVariable, in: bytes) != 0
  }

  /// The number of elements; nil if a dimension other than the number of images is unknown.
  package var count: Int? {
    guard shape.allSatisfy({ $0 > 0 }), !signature.dropFirst().contains(where: { $0 < 0 }) else { return nil }
    // `ModelGraphCheck` limits the size of a tensor, so the product cannot overflow.
    return shape.reduce(1, { $0.multipliedReportingOverflow(by: $1).partialValue })
  }
}
