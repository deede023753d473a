// SPDX-License-Identifier: Apache-2.0

/// The description of a tensor, to write to another file.
enum TensorCopy {
  /// Returns the table of a tensor, with the buffer's index in the other file.
  /// - Throws: `cannotWrite` for sparse tensors, variants, and block scales, which refer to other tensors.
  static func node(
    _ tensor: SourceGraph.Tensor, buffer: Int, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> FlatNode {
    typealias Field = GraphSchema.Tensor
    let table = tensor.table
    guard try table.slot(Field.sparsity, size: 4, in: bytes) == nil,
      try table.slot(Field.variants, size: 4, in: bytes) == nil
    else {
      throw MetadataEncoder.cannotWrite("The tensor '\(tensor.name)' is sparse, or has variants")
    }
    var node = FlatNode()
    for field in [Field.shape, Field.shapeSignature]
    where try table.slot(field, size: 4, in: bytes) != nil {
      node.set(field, .uint32s(try table.uint32s(field, in: bytes, &budget)))
    }
    node.set(Field.type, .uint8(tensor.type))
    node.set(Field.buffer, .uint32(UInt32(buffer)))
    node.set(Field.name, string: tensor.name)
    if let quantization = try table.table(Field.quantization, in: bytes, &budget) {
      node.set(Field.quantization, .table(try scales(quantization, of: tensor.name, in: bytes, &budget)))
    }
    node.set(Field.hasRank, .uint8(try table.uint8(Field.hasRank, in: bytes)))
    return node
  }

  private static func scales(
    _ table: FlatTable, of name: String, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> FlatNode {
    typealias Field = GraphSchema.Quantization
    guard try table.uint8(Field.detailsType, in: bytes) == 0 else {
      throw MetadataEncoder.cannotWrite("The tensor '\(name)' is quantised in blocks, or in a custom way")
    }
    var node = FlatNode()
    for field in [Field.minimum, Field.maximum, Field.scale] {
      node.set(field, floats: try table.floats(field, in: bytes, &budget))
    }
    let points = try table.vector(Field.zeroPoint, stride: 8, in: bytes) ?? .empty
    try budget.spend(bytes: 8 * points.count)
    var numbers: [UInt64] = []
    for index in 0..<points.count {
      numbers.append(try bytes.uint64(at: points.start + 8 * index, "a zero point"))
    }
    node.set(Field.zeroPoint, numbers.isEmpty ? nil : .uint64s(numbers))
    node.set(Field.dimension, .uint32(try table.uint32(Field.dimension, in: bytes)))
    return node
  }
}
