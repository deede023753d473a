// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

extension TestModel {
  /// The file.
  package func bytes() -> [UInt8] {
    typealias Field = ModelFile.Field
    let kinds = Set(graphs.flatMap { $0.operators.map(\.code) }).sorted()
    var writer = FlatBufferWriter(identifier: ModelFile.identifier)
    writer.root(
      FlatNode([
        Field.version: .uint32(3),
        Field.operatorCodes: .nodes(kinds.map(code)),
        Field.subgraphs: .nodes(graphs.map { graph($0, kinds) }),
        Field.description: .text(description),
        Field.buffers: .nodes(buffers.indices.map(buffer)),
        Field.metadata: .nodes(
          metadata.map {
            FlatNode([Field.entryName: .string($0.name), Field.entryBuffer: .uint32($0.buffer)])
          }),
        Field.signatureDefs: .nodes(signatures.map(signature)),
      ]))
    return writer.bytes
  }

  private func buffer(_ index: Int) -> FlatNode {
    typealias Field = ModelFile.Field
    if index == farBuffer {
      // Both are 64 bits wide, but the writer's fields have 32: each one's upper half is the field after it.
      return FlatNode([
        Field.bufferOffset: .uint32(4096), Field.bufferSize: .uint32(16), FlatField(3, ""): .uint32(0),
      ])
    }
    return FlatNode([
      Field.bufferData: buffers[index].isEmpty ? nil : .bytes(buffers[index], alignment: 16)
    ])
  }

  private func signature(_ signature: Signature) -> FlatNode {
    func map(_ entries: [(name: String?, tensor: UInt32)]) -> FlatValue? {
      typealias Field = GraphSchema.TensorMap
      return .nodes(entries.map { FlatNode([Field.name: .text($0.name), Field.tensor: .uint32($0.tensor)]) })
    }
    typealias Field = GraphSchema.Signature
    return FlatNode([
      Field.inputs: map(signature.inputs), Field.outputs: map(signature.outputs),
      Field.key: .text(signature.key), Field.subgraph: .uint32(signature.graph),
    ])
  }

  private func code(_ number: UInt32) -> FlatNode {
    typealias Field = GraphSchema.Code
    return FlatNode([
      Field.deprecated: codes == .numbers ? nil : .uint8(UInt8(min(number, 127))),
      Field.builtin: codes == .bytes ? nil : .uint32(number),
      Field.custom: .text(number == 32 ? customName : nil),
    ])
  }

  private func graph(_ graph: Graph, _ kinds: [UInt32]) -> FlatNode {
    typealias Field = GraphSchema.Subgraph
    return FlatNode([
      Field.tensors: .nodes(graph.tensors.map(tensor)), Field.inputs: .int32s(graph.inputs),
      Field.outputs: .int32s(graph.outputs),
      Field.operators: .nodes(
        graph.operators.map { node($0, code: kinds.firstIndex(of: $0.code) ?? 99) }),
    ])
  }

  /// The kinds of options of ADD, AVERAGE_POOL_2D, CONCATENATION, CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED,
  /// MAX_POOL_2D, MUL, SOFTMAX, MEAN, SUB and TRANSPOSE_CONV; without them LiteRT reads no options.
  private static let optionsTypes: [UInt32: UInt8] = [
    0: 11, 1: 5, 2: 10, 3: 1, 4: 2, 9: 8, 17: 5, 18: 21, 25: 9, 40: 27, 41: 28, 67: 49,
  ]

  private func node(_ item: Operator, code: Int) -> FlatNode {
    typealias Field = GraphSchema.Operator
    func options(_ fields: [Int: Int32]?) -> FlatValue? {
      fields.map { fields in
        var node = FlatNode()
        for (id, value) in fields { node.set(FlatField(id, ""), .uint32(UInt32(bitPattern: value))) }
        return .table(node)
      }
    }
    let type = item.options.flatMap { _ in Self.optionsTypes[item.code] }
    return FlatNode([
      Field.code: .uint32(UInt32(code)), Field.inputs: .int32s(item.inputs),
      Field.outputs: .int32s(item.outputs), Field.optionsType: type.map { .uint8($0) },
      Field.options: options(item.options), FlatField(12, ""): options(item.newOptions),
      Field.customOptions: item.custom.map { .bytes($0, alignment: 4) },
    ])
  }

  private func tensor(_ tensor: Tensor) -> FlatNode {
    typealias Field = GraphSchema.Tensor
    let (scales, zeroPoints) = (tensor.scales, tensor.zeroPoints)
    let quantization = FlatNode([
      GraphSchema.Quantization.scale: scales.isEmpty ? nil : .uint32s(scales.map(\.bitPattern)),
      GraphSchema.Quantization.zeroPoint: zeroPoints.isEmpty
        ? nil : .uint64s(zeroPoints.map(UInt64.init(bitPattern:))),
      GraphSchema.Quantization.dimension: .uint32(tensor.dimension),
    ])
    return FlatNode([
      Field.shape: .int32s(tensor.shape), Field.type: .uint8(tensor.type),
      Field.buffer: .uint32(tensor.buffer), Field.name: .text(tensor.name),
      Field.isVariable: .uint8(tensor.isVariable ? 1 : 0),
      Field.shapeSignature: .int32s(tensor.signature),
      Field.sparsity: tensor.sparsity.map { .table($0.node()) },
      Field.quantization: scales.isEmpty && zeroPoints.isEmpty ? nil : .table(quantization),
    ])
  }
}

extension FlatNode {
  /// A table of these fields; those that are nil are left out.
  init(_ fields: KeyValuePairs<FlatField, FlatValue?>) {
    self.init()
    for (field, value) in fields { set(field, value) }
  }
}

extension FlatValue? {
  /// A vector of numbers; an empty one is left out.
  static func int32s(_ numbers: [Int32]) -> Self {
    numbers.isEmpty ? nil : .uint32s(numbers.map(UInt32.init(bitPattern:)))
  }

  /// A vector of tables; an empty one is left out.
  static func nodes(_ nodes: [FlatNode]) -> Self {
    nodes.isEmpty ? nil : .tables(nodes.map { .table($0) })
  }

  static func text(_ text: String?) -> Self { text.map { .string($0) } }
}
