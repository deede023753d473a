// SPDX-License-Identifier: Apache-2.0

/// Writes the tables of a rewritten graph; unchanged objects are referenced in the old file.
struct Int8GraphEncoder {
  let graph: QuantizedGraph
  let plan: Int8Plan

  private static let shift = 128

  /// Returns the new root of the model.
  func root(in bytes: Span<UInt8>) throws(MetadataError) -> FlatNode {
    typealias Field = ModelFile.Field
    var node = FlatNode()
    node.set(Field.version, .uint32(try graph.root.uint32(Field.version, in: bytes)))
    for field in [
      Field.description, Field.buffers, Field.metadataBuffer, Field.metadata, Field.signatureDefs,
    ] {
      node.set(field, try placed(field, of: graph.root, in: bytes))
    }
    node.set(Field.operatorCodes, .tables(try codes(in: bytes)))
    node.set(Field.subgraphs, .tables([.table(try subgraph(in: bytes))]))
    return node
  }

  /// Returns the old operator codes with versions that support int8, and one more for changing scales.
  private func codes(in bytes: Span<UInt8>) throws(MetadataError) -> [FlatValue] {
    typealias Field = GraphSchema.Code
    var result: [FlatValue] = []
    for table in graph.codes {
      let number = try table.operatorNumber(in: bytes)
      let version =
        try table.slot(Field.version, size: 4, in: bytes) == nil
        ? 1 : try table.uint32(Field.version, in: bytes)
      let needed = BuiltinOperator(shifted: number)?.int8Version ?? 1
      result.append(
        .table(
          Self.code(
            number, version: max(version, needed), custom: try placed(Field.custom, of: table, in: bytes))
        ))
    }
    let quantize = BuiltinOperator.quantize
    return result + [.table(Self.code(quantize.rawValue, version: quantize.int8Version, custom: nil))]
  }

  private static func code(_ number: UInt32, version: UInt32, custom: FlatValue?) -> FlatNode {
    typealias Field = GraphSchema.Code
    var node = FlatNode()
    node.set(Field.deprecated, .uint8(UInt8(min(number, 127))))
    node.set(Field.custom, custom)
    node.set(Field.version, .uint32(version))
    node.set(Field.builtin, .uint32(number))
    return node
  }

  private func subgraph(in bytes: Span<UInt8>) throws(MetadataError) -> FlatNode {
    typealias Field = GraphSchema.Subgraph
    var tensors: [FlatValue] = []
    for index in graph.tensors.indices { tensors.append(try tensor(index, in: bytes)) }
    var nodes: [FlatValue] = []
    for node in graph.nodes { try append(node, to: &nodes, tensors: &tensors, in: bytes) }
    var result = FlatNode()
    result.set(Field.tensors, .tables(tensors))
    result.set(Field.inputs, try placed(Field.inputs, of: graph.subgraph, in: bytes))
    result.set(Field.outputs, try placed(Field.outputs, of: graph.subgraph, in: bytes))
    result.set(Field.operators, .tables(nodes))
    result.set(Field.name, try placed(Field.name, of: graph.subgraph, in: bytes))
    return result
  }

  private func tensor(_ index: Int, in bytes: Span<UInt8>) throws(MetadataError) -> FlatValue {
    let old = graph.tensors[index]
    if let conversion = plan.conversion(ofWeights: index) {
      let dimension = conversion.isChannelMajor ? 0 : 3
      return .table(
        try tensor(
          like: old, type: GraphSchema.ElementType.int8, scales: conversion.factors.map { old.scale * $0 },
          zeroPoint: 0, dimension: dimension, in: bytes))
    }
    if let conversion = plan.conversion(ofBias: index) {
      let step = graph.tensors[conversion.input].scale * graph.tensors[conversion.tensor].scale
      return .table(
        try tensor(
          like: old, type: GraphSchema.ElementType.int32, scales: conversion.factors.map { step * $0 },
          zeroPoint: 0, dimension: 0, in: bytes))
    }
    guard plan.isConverted[index] else { return .placed(old.table.position) }
    return .table(
      try tensor(
        like: old, type: GraphSchema.ElementType.int8, scales: [old.scale],
        zeroPoint: old.zeroPoint - Self.shift,
        dimension: 0, in: bytes))
  }

  /// Returns a tensor with the shape and buffer of an old tensor.
  private func tensor(
    like old: QuantizedGraph.Tensor, type: UInt8, scales: [Float], zeroPoint: Int, dimension: Int,
    in bytes: Span<UInt8>
  ) throws(MetadataError) -> FlatNode {
    typealias Field = GraphSchema.Tensor
    var quantization = FlatNode()
    quantization.set(GraphSchema.Quantization.scale, floats: scales)
    let zero = UInt64(bitPattern: Int64(zeroPoint))
    quantization.set(
      GraphSchema.Quantization.zeroPoint, .uint64s([UInt64](repeating: zero, count: scales.count)))
    quantization.set(GraphSchema.Quantization.dimension, .uint32(UInt32(dimension)))
    var node = FlatNode()
    node.set(Field.shape, try placed(Field.shape, of: old.table, in: bytes))
    node.set(Field.type, .uint8(type))
    node.set(Field.buffer, .uint32(UInt32(old.buffer)))
    node.set(Field.name, try placed(Field.name, of: old.table, in: bytes))
    node.set(Field.quantization, .table(quantization))
    node.set(Field.shapeSignature, try placed(Field.shapeSignature, of: old.table, in: bytes))
    node.set(Field.hasRank, .uint8(try old.table.uint8(Field.hasRank, in: bytes)))
    return node
  }

  /// Appends an operator, preceded by operators that convert its inputs to the scale or type that it needs.
  private func append(
    _ node: QuantizedGraph.Node, to nodes: inout [FlatValue], tensors: inout [FlatValue],
    in bytes: Span<UInt8>
  ) throws(MetadataError) {
    var inputs = node.inputs
    for (place, input) in node.inputs.enumerated() where input >= 0 && plan.isConverted[input] {
      let old = graph.tensors[input]
      let new: FlatNode
      switch node.kind {
      case .custom:
        new = try tensor(
          like: old, type: GraphSchema.ElementType.uint8, scales: [old.scale], zeroPoint: old.zeroPoint,
          dimension: 0, in: bytes)
      case .concatenation:
        // In uint8 the inputs may have different scales, in int8 they must be equal.
        let output = graph.tensors[node.outputs[0]]
        guard !old.hasScale(of: output) else { continue }
        new = try tensor(
          like: old, type: GraphSchema.ElementType.int8, scales: [output.scale],
          zeroPoint: output.zeroPoint - Self.shift, dimension: 0, in: bytes)
      default: continue
      }
      inputs[place] = tensors.count
      var conversion = FlatNode()
      conversion.set(GraphSchema.Operator.code, .uint32(UInt32(graph.codes.count)))
      conversion.set(GraphSchema.Operator.inputs, .uint32s([UInt32(input)]))
      conversion.set(GraphSchema.Operator.outputs, .uint32s([UInt32(tensors.count)]))
      nodes.append(.table(conversion))
      tensors.append(.table(new))
    }
    nodes.append(
      inputs == node.inputs ? .placed(node.table.position) : .table(try copy(node, inputs, in: bytes)))
  }

  private func copy(
    _ node: QuantizedGraph.Node, _ inputs: [Int], in bytes: Span<UInt8>
  ) throws(MetadataError) -> FlatNode {
    typealias Field = GraphSchema.Operator
    var result = FlatNode()
    result.set(Field.code, .uint32(try node.table.uint32(Field.code, in: bytes)))
    result.set(Field.inputs, .uint32s(inputs.map { UInt32(bitPattern: Int32($0)) }))
    result.set(Field.optionsType, .uint8(try node.table.uint8(Field.optionsType, in: bytes)))
    result.set(Field.customFormat, .uint8(try node.table.uint8(Field.customFormat, in: bytes)))
    for field in [Field.outputs, Field.options, Field.customOptions] {
      result.set(field, try placed(field, of: node.table, in: bytes))
    }
    return result
  }

  /// Returns the object that a field of an old table points to; nil if the field is absent.
  private func placed(
    _ field: FlatField, of table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> FlatValue? {
    guard let slot = try table.slot(field, size: 4, in: bytes) else { return nil }
    return .placed(try bytes.target(at: slot, "the field '\(field.name)'"))
  }
}
