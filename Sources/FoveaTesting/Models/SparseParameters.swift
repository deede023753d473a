// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// The parameters of a sparse tensor, as a test states them.
package struct SparseParameters {
  package enum Level {
    case dense(Int32)
    /// Lists of numbers of `width` bytes each: 1 or 4.
    case sparse(segments: [Int32], indices: [Int32], width: Int = 1)
    /// A level of a format that does not exist, whose lists are missing.
    case format(UInt8)
  }

  package var order: [Int32]
  package var blocks: [Int32]
  package var levels: [Level]

  package init(order: [Int32], blocks: [Int32] = [], levels: [Level]) {
    self.order = order
    self.blocks = blocks
    self.levels = levels
  }

  /// The sparse tensor of `model()`, by its number.
  package static let tensor = 7

  /// A graph that LiteRT runs and that adds a sparse constant, [1, 24] in blocks of 2 with 6 stored numbers.
  package static func model() -> GraphModel {
    var model = GraphModel.runnable()
    model.buffers.append([UInt8](repeating: 0, count: 24))
    model.graphs[0].tensors.append(
      .init(
        shape: [1, 24], buffer: UInt32(model.buffers.count - 1),
        sparsity: SparseParameters(
          order: [0, 1, 2], blocks: [1],
          levels: [.dense(1), .sparse(segments: [0, 3], indices: [0, 5, 11]), .dense(2)])))
    model.append(124, [Int32(tensor)], makes: [1, 24])
    model.append(0, [5, 8], makes: [1, 24], options: [:])
    model.graphs[0].outputs = [9]
    return model
  }

  func node() -> FlatNode {
    func numbers(_ values: [Int32]) -> FlatValue { .uint32s(values.map(UInt32.init(bitPattern:))) }
    var node = FlatNode()
    node.set(GraphSchema.Sparsity.order, numbers(order))
    if !blocks.isEmpty { node.set(GraphSchema.Sparsity.blocks, numbers(blocks)) }
    node.set(GraphSchema.Sparsity.levels, nodes: levels.map(Self.level))
    return node
  }

  private static func level(_ level: Level) -> FlatNode {
    typealias Field = GraphSchema.SparseDimension
    var node = FlatNode()
    switch level {
    case .dense(let size):
      node.set(Field.denseSize, .uint32(UInt32(bitPattern: size)))
    case .format(let format):
      node.set(Field.format, .uint8(format))
    case .sparse(let segments, let indices, let width):
      let kind: UInt8 = width == 4 ? 1 : 3
      node.set(Field.format, .uint8(1))
      node.set(Field.segmentsType, .uint8(kind))
      node.set(Field.segments, .table(list(segments, width)))
      node.set(Field.indicesType, .uint8(kind))
      node.set(Field.indices, .table(list(indices, width)))
    }
    return node
  }

  private static func list(_ numbers: [Int32], _ width: Int) -> FlatNode {
    var node = FlatNode()
    guard width == 1 else {
      node.set(GraphSchema.SparseDimension.values, .uint32s(numbers.map(UInt32.init(bitPattern:))))
      return node
    }
    node.set(
      GraphSchema.SparseDimension.values,
      .bytes(numbers.map { UInt8(truncatingIfNeeded: $0) }, alignment: 4))
    return node
  }
}
