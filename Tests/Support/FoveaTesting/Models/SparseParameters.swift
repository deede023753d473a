// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// The parameters of a sparse tensor, as declared by a test.
package struct SparseParameters: Sendable {
  package enum Level: Sendable {
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
  package static func model() -> TestModel {
    var model = TestModel.runnable()
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
    typealias Field = GraphSchema.Sparsity
    return FlatNode([
      Field.order: .int32s(order), Field.blocks: .int32s(blocks),
      Field.levels: .nodes(levels.map(Self.level)),
    ])
  }

  private static func level(_ level: Level) -> FlatNode {
    typealias Field = GraphSchema.SparseDimension
    switch level {
    case .dense(let size): return FlatNode([Field.denseSize: .uint32(UInt32(bitPattern: size))])
    case .format(let format): return FlatNode([Field.format: .uint8(format)])
    case .sparse(let segments, let indices, let width):
      let kind: UInt8 = width == 4 ? 1 : 3
      return FlatNode([
        Field.format: .uint8(1), Field.segmentsType: .uint8(kind), Field.indicesType: .uint8(kind),
        Field.segments: .table(list(segments, width)), Field.indices: .table(list(indices, width)),
      ])
    }
  }

  private static func list(_ numbers: [Int32], _ width: Int) -> FlatNode {
    FlatNode([
      GraphSchema.SparseDimension.values: width == 1
        ? .bytes(numbers.map { UInt8(truncatingIfNeeded: $0) }, alignment: 4)
        : .uint32s(numbers.map(UInt32.init(bitPattern:)))
    ])
  }
}
