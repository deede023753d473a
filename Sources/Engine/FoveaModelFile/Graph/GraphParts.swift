// SPDX-License-Identifier: Apache-2.0

/// The parts of a graph to write: tables with consistent indices.
package struct GraphParts {
  /// An operator code with its version.
  package struct Code: Sendable, Equatable {
    let number: UInt32
    let version: UInt32
    let custom: String?

    package init(number: UInt32, version: UInt32, custom: String?) {
      self.number = number
      self.version = version
      self.custom = custom
    }
  }

  /// The names by which callers know the inputs and outputs.
  package struct Signature: Sendable {
    package var key = "serving_default"
    package var inputs: [(name: String, tensor: Int)] = []
    package var outputs: [(name: String, tensor: Int)] = []

    package init() {}
  }

  package var codes: [Code] = []
  package var tensors: [FlatNode] = []
  package var operators: [FlatNode] = []
  /// The contents of constants; the first is empty, for all computed tensors.
  package var buffers: [[UInt8]] = [[]]
  package var inputs: [Int] = []
  package var outputs: [Int] = []
  package var signature: Signature?
  /// Metadata by name, such as `TFLITE_METADATA`.
  package var metadata: [(name: String, content: [UInt8])] = []
  package var description: String?

  package init() {}

  /// Returns the bytes of the model file.
  package func bytes() -> [UInt8] {
    typealias Field = ModelFile.Field
    var graph = FlatNode()
    graph.set(GraphSchema.Subgraph.tensors, nodes: tensors)
    graph.set(GraphSchema.Subgraph.inputs, .uint32s(inputs.map { UInt32($0) }))
    graph.set(GraphSchema.Subgraph.outputs, .uint32s(outputs.map { UInt32($0) }))
    graph.set(GraphSchema.Subgraph.operators, nodes: operators)
    graph.set(GraphSchema.Subgraph.name, string: "main")
    var root = FlatNode()
    root.set(Field.version, .uint32(3))
    root.set(Field.operatorCodes, nodes: codes.map(Self.node))
    root.set(Field.subgraphs, nodes: [graph])
    root.set(Field.description, string: description)
    root.set(Field.buffers, nodes: (buffers + metadata.map(\.content)).map(Self.node))
    root.set(Field.metadata, nodes: metadata.indices.map(entry))
    root.set(Field.signatureDefs, nodes: signature.map { [Self.node($0)] } ?? [])
    var writer = FlatBufferWriter(identifier: ModelFile.identifier)
    writer.root(root)
    return writer.bytes
  }

  private func entry(_ index: Int) -> FlatNode {
    var node = FlatNode()
    node.set(ModelFile.Field.entryName, string: metadata[index].name)
    node.set(ModelFile.Field.entryBuffer, .uint32(UInt32(buffers.count + index)))
    return node
  }

  /// Sets the input and the output of a graph with one of each, and their signature.
  package mutating func setEnds(input: Int, output: Int, named name: String) {
    var signature = Signature()
    signature.inputs = [("image", input)]
    signature.outputs = [(name, output)]
    (inputs, outputs, self.signature) = ([input], [output], signature)
  }

  private static func node(_ signature: Signature) -> FlatNode {
    func map(_ end: (name: String, tensor: Int)) -> FlatNode {
      var node = FlatNode()
      node.set(GraphSchema.TensorMap.name, string: end.name)
      node.set(GraphSchema.TensorMap.tensor, .uint32(UInt32(end.tensor)))
      return node
    }
    var node = FlatNode()
    node.set(GraphSchema.Signature.inputs, nodes: signature.inputs.map(map))
    node.set(GraphSchema.Signature.outputs, nodes: signature.outputs.map(map))
    node.set(GraphSchema.Signature.key, string: signature.key)
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
