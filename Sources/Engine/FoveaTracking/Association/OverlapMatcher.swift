// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Pairs boxes of objects with boxes of detections at the lowest total cost.
struct OverlapMatcher: Sendable {
  /// The box of an object or a detection that is excluded from a call.
  static let absent = BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)

  private var solver = SparseAssignment()
  private var sorter = KeySorter()
  private var pairs: [SparseAssignment.Pair] = []
  private var rowOrder: [SortKey] = []
  private var columnOrder: [SortKey] = []

  /// The object of each detection in the last call; −1 if there is none.
  var rowOfColumn: [Int] { solver.rowOfColumn }

  /// Finds the pairs with the lowest total cost.
  /// - Parameters:
  ///   - rows: The boxes of the objects; an empty one (`absent`) is excluded.
  ///   - columns: The boxes of the detections; an empty one is excluded.
  ///   - limit: The cost of leaving an object and a detection unpaired.
  ///   - cost: Returns the cost of an overlapping pair from its row, column and IoU; NaN excludes it.
  mutating func match(
    _ rows: [BoundingBox], _ columns: [BoundingBox], limit: Double, cost: (Int, Int, Double) -> Double
  ) {
    Self.sort(rows, into: &rowOrder, by: &sorter)
    Self.sort(columns, into: &columnOrder, by: &sorter)
    var found: [SparseAssignment.Pair] = []
    swap(&found, &pairs)
    found.removeAll(keepingCapacity: true)
    PairSweep.overlaps(
      rowOrder, columnOrder, firstEnd: { rows[$0].maxX }, secondEnd: { columns[$0].maxX }
    ) { row, column in
      let overlap = rows[row].iou(with: columns[column])
      guard overlap > 0 else { return }
      found.append(SparseAssignment.Pair(row: row, column: column, cost: cost(row, column, overlap)))
    }
    pairs = found
    solver.solve(rows: rows.count, columns: columns.count, pairs: pairs, limit: limit)
  }

  private static func sort(_ boxes: [BoundingBox], into order: inout [SortKey], by sorter: inout KeySorter) {
    order.removeAll(keepingCapacity: true)
    for (index, box) in boxes.enumerated() where !box.isEmpty {
      order.append(SortKey(key: box.minX, index: index))
    }
    sorter.sort(&order)
  }
}
