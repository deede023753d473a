// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// A uint8 graph made in code: image → convolution → (reshape, itself) → concatenation → custom operator → float.
package struct SyntheticGraph {
  package var imageType = GraphSchema.ElementType.uint8
  package var weightsZeroPoint = 130
  /// Two output channels of four weights each.
  package var weights: [UInt8] = [3, 130, 131, 255, 2, 130, 200, 255]
  package var bias: [Int32] = [1000, -1000]
  package var operatorCode: UInt32 = GraphSchema.Builtin.conv.rawValue
  package var scales: [Float] = [0.5]
  package var subgraphs = 1
  package var sharesWeights = false

  package init() {}

  private func tensor(
    _ name: String, type: UInt8, shape: [UInt32], scales: [Float], zeroPoint: Int, buffer: UInt32 = 0
  ) -> FlatNode {
    var quantization = FlatNode()
    quantization.set(GraphSchema.Quantization.scale, floats: scales)
    quantization.set(GraphSchema.Quantization.zeroPoint, .uint64s(scales.map { _ in UInt64(zeroPoint) }))
    var node = FlatNode()
    node.set(GraphSchema.Tensor.shape, .uint32s(shape))
    node.set(GraphSchema.Tensor.type, .uint8(type))
    node.set(GraphSchema.Tensor.buffer, .uint32(buffer))
    node.set(GraphSchema.Tensor.name, string: name)
    if type != GraphSchema.ElementType.float32 {
      node.set(GraphSchema.Tensor.quantization, .table(quantization))
    }
    return node
  }

  private func node(_ code: UInt32, _ inputs: [UInt32], _ outputs: [UInt32]) -> FlatNode {
    var node = FlatNode()
    node.set(GraphSchema.Operator.code, .uint32(code))
    node.set(GraphSchema.Operator.inputs, .uint32s(inputs))
    node.set(GraphSchema.Operator.outputs, .uint32s(outputs))
    return node
  }

  private func code(_ number: UInt32, custom: String? = nil) -> FlatNode {
    var node = FlatNode()
    node.set(GraphSchema.Code.deprecated, .uint8(UInt8(number)))
    node.set(GraphSchema.Code.custom, string: custom)
    return node
  }

  package func bytes() -> [UInt8] {
    let uint8 = GraphSchema.ElementType.uint8
    var subgraph = FlatNode()
    subgraph.set(
      GraphSchema.Subgraph.tensors,
      nodes: [
        tensor("image", type: imageType, shape: [1, 1, 1, 4], scales: scales, zeroPoint: 128),
        tensor(
          "weights", type: uint8, shape: [2, 1, 1, 4], scales: [0.25], zeroPoint: weightsZeroPoint, buffer: 1),
        tensor(
          "bias", type: GraphSchema.ElementType.int32, shape: [2], scales: [0.125], zeroPoint: 0, buffer: 2),
        tensor("features", type: uint8, shape: [1, 1, 1, 2], scales: [1], zeroPoint: 10),
        tensor("flat", type: uint8, shape: [1, 1, 1, 2], scales: [2], zeroPoint: 20),
        tensor("joined", type: uint8, shape: [1, 1, 1, 4], scales: [2], zeroPoint: 20),
        tensor(
          "anchors", type: uint8, shape: [1, 4], scales: [1], zeroPoint: 0, buffer: sharesWeights ? 1 : 3),
        tensor("answer", type: GraphSchema.ElementType.float32, shape: [1], scales: [], zeroPoint: 0),
      ])
    subgraph.set(GraphSchema.Subgraph.inputs, .uint32s([0]))
    subgraph.set(GraphSchema.Subgraph.outputs, .uint32s([7]))
    subgraph.set(
      GraphSchema.Subgraph.operators,
      nodes: [node(0, [0, 1, 2], [3]), node(1, [3], [4]), node(2, [3, 4], [5]), node(3, [5, 6], [7])])
    var root = FlatNode()
    root.set(ModelFile.Field.version, .uint32(3))
    root.set(
      ModelFile.Field.operatorCodes,
      nodes: [
        code(operatorCode), code(GraphSchema.Builtin.reshape.rawValue),
        code(GraphSchema.Builtin.concatenation.rawValue),
        code(GraphSchema.Builtin.custom.rawValue, custom: "Own"),
      ])
    root.set(ModelFile.Field.subgraphs, nodes: Array(repeating: subgraph, count: subgraphs))
    root.set(
      ModelFile.Field.buffers,
      nodes: [
        [], weights, bias.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } },
        [1, 2, 3, 4],
      ].map { content in
        var buffer = FlatNode()
        if !content.isEmpty { buffer.set(ModelFile.Field.bufferData, .bytes(content, alignment: 16)) }
        return buffer
      })
    var writer = FlatBufferWriter(identifier: ModelFile.identifier)
    writer.root(root)
    return writer.bytes
  }
}

/// What a test wants to know of a rewritten graph.
package struct GraphReading {
  package struct Tensor: Equatable {
    package var type: UInt8
    package var scales: [Float]
    package var zeroPoints: [Int]
    package var data: [UInt8]

    package init(type: UInt8, scales: [Float], zeroPoints: [Int], data: [UInt8]) {
      self.type = type
      self.scales = scales
      self.zeroPoints = zeroPoints
      self.data = data
    }
  }

  package var tensors: [Tensor] = []
  package var operators: [(code: UInt32, version: UInt32, inputs: [UInt32], outputs: [UInt32])] = []

  package init(_ model: [UInt8]) throws {
    let bytes = model.span
    var budget = FlatBudget()
    let root = try ModelFile(bytes).root
    let buffers = try root.tables(ModelFile.Field.buffers, in: bytes, &budget)
    let codes = try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget)
    let subgraph = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)[0]
    for table in try subgraph.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget) {
      let quantization = try table.table(GraphSchema.Tensor.quantization, in: bytes, &budget)
      var zeroPoints: [Int] = []
      if let vector = try quantization?.vector(GraphSchema.Quantization.zeroPoint, stride: 8, in: bytes) {
        for index in 0..<vector.count {
          zeroPoints.append(
            Int(Int64(bitPattern: try bytes.uint64(at: vector.start + 8 * index, "a zero point"))))
        }
      }
      let buffer = buffers[Int(try table.uint32(GraphSchema.Tensor.buffer, in: bytes))]
      tensors.append(
        Tensor(
          type: try table.uint8(GraphSchema.Tensor.type, in: bytes),
          scales: try quantization?.floats(GraphSchema.Quantization.scale, in: bytes, &budget) ?? [],
          zeroPoints: zeroPoints,
          data: try buffer.bytes(ModelFile.Field.bufferData, in: bytes, &budget) ?? []))
    }
    for table in try subgraph.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let code = codes[Int(try table.uint32(GraphSchema.Operator.code, in: bytes))]
      operators.append(
        (
          max(
            UInt32(try code.uint8(GraphSchema.Code.deprecated, in: bytes)),
            try code.uint32(GraphSchema.Code.builtin, in: bytes)),
          try code.uint32(GraphSchema.Code.version, in: bytes),
          try table.uint32s(GraphSchema.Operator.inputs, in: bytes, &budget),
          try table.uint32s(GraphSchema.Operator.outputs, in: bytes, &budget)
        ))
    }
  }
}
