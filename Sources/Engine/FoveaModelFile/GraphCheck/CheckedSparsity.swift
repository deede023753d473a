// SPDX-License-Identifier: Apache-2.0

/// The checked layout of a sparse tensor's numbers, which determines where LiteRT writes each number.
///
/// A tensor is traversed in levels, one per dimension and then one per block into which dimensions are
/// divided. A dense level has all positions of its dimension; a sparse level lists the stored positions, in
/// one segment per position of the previous level.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, table SparsityParameters; `interpreter_builder.cc`,
/// ParseSparsity; `kernels/internal/utils/sparsity_format_converter.cc`, InitSparseToDenseConverter and
/// Populate. Apache-2.0.
struct CheckedSparsity {
  /// The number of elements in the buffer.
  let storedCount: Int

  /// The maximum number of levels: eight dimensions, each divided into blocks.
  ///
  /// The runtime's stack grows with each level.
  private static let maximumLevels = 16

  /// Reads and checks the parameters of a tensor.
  /// - Parameters:
  ///   - table: The table SparsityParameters.
  ///   - position: The index of the tensor.
  ///   - shape: The tensor's shape, whose product was checked.
  ///   - bytes: The whole model file.
  ///   - budget: The remaining budget for reading.
  /// - Throws: `MetadataError` with `damagedModel`.
  init(
    _ table: FlatTable, _ position: Int, shape: [Int], in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) {
    typealias Field = GraphSchema.Sparsity
    if let side = shape.first(where: { $0 < 1 }) {
      throw .damaged("tensor \(position) is sparse and has a side of \(side)")
    }
    let order = try table.int32s(Field.order, in: bytes, &budget)
    let blocks = try table.int32s(Field.blocks, in: bytes, &budget)
    let levels = try table.vector(Field.levels, stride: 4, in: bytes)?.count ?? 0
    let expected = shape.count + blocks.count
    guard expected <= Self.maximumLevels else {
      throw .damaged(
        "tensor \(position) has \(expected) sparse levels; at most \(Self.maximumLevels) are allowed")
    }
    guard order.count == expected, levels == expected else {
      throw .damaged(
        "tensor \(position) traverses \(order.count) levels and describes \(levels);"
          + " its \(shape.count) dimensions and \(blocks.count) blocks need \(expected)")
    }
    guard order.prefix(shape.count).sorted() == Array(shape.indices),
      order.dropFirst(shape.count).sorted() == Array(shape.count..<expected)
    else {
      throw .damaged(
        "tensor \(position) traverses its levels in the order \(order);"
          + " expected its \(shape.count) dimensions, then its \(blocks.count) blocks, each once")
    }
    guard blocks.allSatisfy(shape.indices.contains), zip(blocks, blocks.dropFirst()).allSatisfy(<) else {
      throw .damaged(
        "tensor \(position) has blocks along the dimensions \(blocks); expected ascending ones of "
          + "0..<\(shape.count)")
    }
    var described: [SparseLevel] = []
    for level in try table.tables(Field.levels, in: bytes, &budget) {
      let place = "level \(described.count) of tensor \(position)"
      described.append(try SparseLevel(level, place, in: bytes, &budget))
    }
    // The sizes of the levels in the order of the shape: dimensions counted in blocks, then the blocks.
    var sides = shape
    for (block, dimension) in blocks.enumerated() {
      let size = described[order[shape.count + block]].denseSize
      guard let size, size > 0, shape[dimension].isMultiple(of: size) else {
        throw .damaged(
          "tensor \(position) has blocks of \(size.map { "\($0)" } ?? "a sparse level") along a side of "
            + "\(shape[dimension])")
      }
      sides[dimension] = shape[dimension] / size
      sides.append(size)
    }
    var count = 1
    for (level, dimension) in order.enumerated() {
      count = try described[level].places(
        of: count, side: sides[dimension], "level \(level) of tensor \(position)", in: bytes)
    }
    storedCount = count
  }
}

extension CheckedGraph {

  /// Verifies that only operators with support for sparse tensors read them: other operators read as many
  /// numbers as the shape has, past the end of the stored numbers.
  ///
  /// **Source:** TensorFlow Lite, the uses of `TfLiteTensor.sparsity` in `lite/kernels`: `densify.cc`, and
  /// the weights of `fully_connected.cc`. Apache-2.0.
  func checkSparse() throws(MetadataError) {
    for (position, node) in nodes.enumerated() where node.kind.builtin != .densify {
      for (place, input) in node.inputs.enumerated() where input >= 0 && tensors[input].isSparse {
        guard node.kind.builtin == .fullyConnected, place == 1 else {
          throw .damaged("operator \(position) reads tensor \(input), which is sparse and was not made dense")
        }
      }
    }
  }
}
