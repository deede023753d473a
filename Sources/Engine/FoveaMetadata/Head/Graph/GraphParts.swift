// SPDX-License-Identifier: Apache-2.0

/// The parts of a graph to write: tables with consistent indices.
struct GraphParts {
  /// An operator code with its version.
  struct Code {
    let number: UInt32
    let version: UInt32
    let custom: String?
  }

  var codes: [Code] = []
  var tensors: [FlatNode] = []
  var operators: [FlatNode] = []
  /// The contents of constants; the first is empty, for all computed tensors.
  var buffers: [[UInt8]] = [[]]
  var input = 0
  var output = 0
  /// The name of the output in the signature.
  var outputName = "embedding"
  var description: String?

  /// Returns the bytes of the model file.
  func bytes() -> [UInt8] {
    typealias Field = ModelFile.Field
    var graph = FlatNode()
    graph.set(GraphSchema.Subgraph.tensors, nodes: tensors)
    graph.set(GraphSchema.Subgraph.inputs, .uint32s([UInt32(input)]))
    graph.set(GraphSchema.Subgraph.outputs, .uint32s([UInt32(output)]))
    graph.set(GraphSchema.Subgraph.operators, nodes: operators)
    graph.set(GraphSchema.Subgraph.name, string: "main")
    var root = FlatNode()
    root.set(Field.version, .uint32(3))
    root.set(Field.operatorCodes, nodes: codes.map(Self.node))
    root.set(Field.subgraphs, nodes: [graph])
    root.set(Field.description, string: description)
    root.set(Field.buffers, nodes: buffers.map(Self.node))
    root.set(Field.signatureDefs, nodes: [signature])
    var writer = FlatBufferWriter(identifier: ModelFile.identifier)
    writer.root(root)
    return writer.bytes
  }

  private var signature: FlatNode {
    func map(_ name: String, _ tensor: Int) -> FlatNode {
      var node = FlatNode()
      node.set(GraphSchema.TensorMap.name, string: name)
      node.set(GraphSchema.TensorMap.tensor, .uint32(UInt32(tensor)))
      return node
    }
    var node = FlatNode()
    node.set(GraphSchema.Signature.inputs, nodes: [map("image", input)])
    node.set(GraphSchema.Signature.outputs, nodes: [map(outputName, output)])
    node.set(GraphSchema.Signature.key, string: "serving_default")
    node.set(GraphSchema.Signature.subgraph, .uint32(0))
    return node
  }

  private static func node(_ code: Code) -> FlatNode {
    typealias Field = GraphSchema.Code
    var node = FlatNode()
    node.set(Field.deprecated, .uint8(UInt8(min(code.number, 127))))
    node.set(Field.custom, string: code.custom)
    node.set(Field.version, .uint32(code.version))
    node.set(Field.builtin, .uint32(code.number))
    return node
  }

  private static func node(_ buffer: [UInt8]) -> FlatNode {
    var node = FlatNode()
    // The schema requires the content of buffers at multiples of 16.
    node.set(ModelFile.Field.bufferData, buffer.isEmpty ? nil : .bytes(buffer, alignment: 16))
    return node
  }
}
