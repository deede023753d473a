// SPDX-License-Identifier: Apache-2.0

/// A graph whose quantised numbers are all uint8 with one scale per tensor, as the rewrite needs it.
struct QuantizedGraph {
  struct Tensor {
    let table: FlatTable
    let type: UInt8
    let shape: [Int]
    let buffer: Int
    let scale: Float
    let zeroPoint: Int
    /// The position of the constant bytes in the file; nil for a computed tensor.
    let constant: FlatVector?
    var isUInt8: Bool { type == GraphSchema.ElementType.uint8 }
  }

  struct Node {
    let table: FlatTable
    /// The kind; nil for operators not known to compute the same in int8, which have no uint8 tensors.
    let kind: BuiltinOperator?
    let inputs: [Int]
    let outputs: [Int]
    /// Whether it reads or writes uint8 numbers; other operators, such as a float head's, are unchanged.
    let isQuantized: Bool
  }

  let root: FlatTable
  let subgraph: FlatTable
  let codes: [FlatTable]
  let tensors: [Tensor]
  let nodes: [Node]
  let outputs: [Int]

  /// Reads the graph; returns nil if it is not a plain uint8 graph of operators that can be rewritten.
  /// - Throws: `MetadataError` if the file is damaged.
  init?(_ bytes: Span<UInt8>) throws(MetadataError) {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    let subgraphs = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)
    guard subgraphs.count == 1, root.fieldCount <= ModelFile.Field.signatureDefs.id + 1,
      subgraphs[0].fieldCount <= GraphSchema.Subgraph.count
    else { return nil }
    self.root = root
    subgraph = subgraphs[0]
    codes = try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget)
    let buffers = try root.tables(ModelFile.Field.buffers, in: bytes, &budget)
    var tensors: [Tensor] = []
    for table in try subgraph.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget) {
      guard let tensor = try Self.tensor(table, buffers: buffers, in: bytes, &budget) else { return nil }
      tensors.append(tensor)
    }
    var kinds: [BuiltinOperator?] = []
    for code in codes { kinds.append(BuiltinOperator(shifted: try code.operatorNumber(in: bytes))) }
    var nodes: [Node] = []
    for table in try subgraph.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let index = Int(try table.uint32(GraphSchema.Operator.code, in: bytes))
      guard kinds.indices.contains(index) else { return nil }
      let inputs = try table.int32s(GraphSchema.Operator.inputs, in: bytes, &budget)
      let outputs = try table.int32s(GraphSchema.Operator.outputs, in: bytes, &budget)
      guard (inputs + outputs).allSatisfy({ $0 >= -1 && $0 < tensors.count }), outputs.allSatisfy({ $0 >= 0 })
      else { return nil }
      let isQuantized = (inputs + outputs).contains { $0 >= 0 && tensors[$0].isUInt8 }
      guard kinds[index] != nil || !isQuantized else { return nil }
      nodes.append(
        Node(
          table: table, kind: kinds[index], inputs: inputs, outputs: outputs, isQuantized: isQuantized))
    }
    self.tensors = tensors
    self.nodes = nodes
    outputs = try subgraph.int32s(GraphSchema.Subgraph.outputs, in: bytes, &budget)
  }

  private static func tensor(
    _ table: FlatTable, buffers: [FlatTable], in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Tensor? {
    typealias Field = GraphSchema.Tensor
    guard try table.slot(Field.sparsity, size: 4, in: bytes) == nil,
      try table.slot(Field.variants, size: 4, in: bytes) == nil,
      try table.uint8(Field.isVariable, in: bytes) == 0
    else { return nil }
    let type = try table.uint8(Field.type, in: bytes)
    let buffer = Int(try table.uint32(Field.buffer, in: bytes))
    guard buffers.indices.contains(buffer) else { return nil }
    // Weights after the FlatBuffer have offsets from the file's start, which the rewrite would invalidate.
    guard try buffers[buffer].uint64(ModelFile.Field.bufferSize, in: bytes) == 0 else { return nil }
    let data = try buffers[buffer].vector(ModelFile.Field.bufferData, stride: 1, in: bytes)
    var scale: Float = 0
    var zeroPoint = 0
    if type == GraphSchema.ElementType.uint8 {
      guard let quantization = try table.table(Field.quantization, in: bytes, &budget),
        try quantization.uint8(GraphSchema.Quantization.detailsType, in: bytes) == 0
      else { return nil }
      let scales = try quantization.floats(GraphSchema.Quantization.scale, in: bytes, &budget)
      let zeroPoints = try quantization.vector(GraphSchema.Quantization.zeroPoint, stride: 8, in: bytes)
      guard scales.count == 1, scales[0].isFinite, scales[0] > 0, (zeroPoints?.count ?? 1) == 1 else {
        return nil
      }
      scale = scales[0]
      if let zeroPoints {
        zeroPoint = Int(Int64(bitPattern: try bytes.uint64(at: zeroPoints.start, "a zero point")))
      }
      guard (0...255).contains(zeroPoint) else { return nil }
    }
    return Tensor(
      table: table, type: type,
      shape: try table.int32s(Field.shape, in: bytes, &budget), buffer: buffer, scale: scale,
      zeroPoint: zeroPoint, constant: data.flatMap { $0.count > 0 ? $0 : nil })
  }
}

extension BuiltinOperator {
  /// Creates the operator with a number if its int8 form computes the same as its uint8 form, shifted by 128.
  init?(shifted number: UInt32) {
    self.init(rawValue: number)
    switch self {
    case .add, .averagePool2D, .concatenation, .conv2D, .depthwiseConv2D, .dequantize, .fullyConnected,
      .logistic, .mul, .relu6, .reshape, .softmax, .custom, .split, .resizeNearestNeighbor:
      break
    default: return nil
    }
  }

  /// Whether the second input is weights and the third a bias.
  var hasWeights: Bool { self == .conv2D || self == .depthwiseConv2D || self == .fullyConnected }
}
