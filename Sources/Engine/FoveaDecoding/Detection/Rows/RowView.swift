// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// An output as rows and columns, in one of the orders of its dimensions.
struct RowView: Sendable, Hashable {
  let output: Int
  let rows: Int
  let columns: Int
  /// Whether the rows lie along the last dimension.
  let isTransposed: Bool
  /// The sides of a map; nil for a list.
  let map: [Int]?
  /// A flag for rows that are lists of points.
  var isNested = false

  /// Returns the ways to read an output: a list [1, N], [1, N, C], [1, N, 1, C], or a map [1, H, W, C], each
  /// also with the columns first; or a list of lists [1, N, K, C].
  static func all(of tensor: TensorDescription, at output: Int) -> [RowView] {
    let shape = tensor.shape
    guard shape.first == 1, shape.allSatisfy({ (1...1 << 24).contains($0) }),
      [.float32, .float16, .uint8, .int8].contains(tensor.elementType)
    else { return [] }
    func view(_ rows: Int, _ columns: Int, _ isTransposed: Bool = false, map: [Int]? = nil) -> RowView {
      RowView(output: output, rows: rows, columns: columns, isTransposed: isTransposed, map: map)
    }
    switch shape.count {
    case 2: return [view(shape[1], 1)]
    case 3: return [view(shape[1], shape[2]), view(shape[2], shape[1], true)]
    case 4:
      let list = shape[2] == 1 ? [view(shape[1], shape[3])] : []
      var nested = view(shape[1], shape[2] * shape[3])
      nested.isNested = true
      return list + [
        view(shape[1] * shape[2], shape[3], map: [shape[1], shape[2]]),
        view(shape[2] * shape[3], shape[1], true, map: [shape[2], shape[3]]), nested,
      ]
    default: return []
    }
  }

  /// Returns the place of a group of columns that begins at column `first`.
  func run(from first: Int) -> RowLayout.Run {
    isTransposed
      ? .init(output: output, count: rows, start: first * rows, step: 1, jump: rows)
      : .init(output: output, count: rows, start: first, step: columns, jump: 1)
  }
}
