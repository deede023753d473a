// SPDX-License-Identifier: Apache-2.0

/// Pairs rows with columns at the lowest total cost, if only some pairs are possible and rows and columns may
/// stay unpaired.
///
/// Each row and each column is in at most one pair. A pair has the given cost; an unpaired row and an
/// unpaired column together cost `limit`. The result is the cheapest of all, so a pair above `limit` is never
/// made, and a cheap pair is dropped if two others together are cheaper. With costs of −weight and a limit of
/// 0 it is the matching of the greatest weight.
///
/// Among results of the same cost (within a part in 10¹²), a lower row is paired before a higher one, and it
/// takes the lowest free column. The order of the pairs does not matter.
///
/// The value keeps its memory between calls, so calls of similar size allocate nothing.
///
/// **Source:** Jonker and Volgenant, "A Shortest Augmenting Path Algorithm for Dense and Sparse Linear
/// Assignment Problems", Computing 38, 1987. Each row has an additional column of its own, which costs
/// `limit` and represents staying unpaired. A search follows only possible pairs, so groups without a common
/// pair do not slow each other down.
package struct SparseAssignment: Sendable {
  /// A possible pair and its cost.
  package struct Pair: Sendable, Hashable {
    /// The row, from 0.
    package var row: Int
    /// The column, from 0.
    package var column: Int
    /// The cost of the pair, in any unit; may be below 0.
    package var cost: Double

    /// Creates a pair.
    package init(row: Int, column: Int, cost: Double) {
      self.row = row
      self.column = column
      self.cost = cost
    }
  }

  /// The column paired with each row in the last call; −1 for an unpaired row.
  package private(set) var columnOfRow: [Int] = []
  /// The row paired with each column in the last call; −1 for an unpaired column.
  package private(set) var rowOfColumn: [Int] = []

  // The pairs of row i are at firstOfRow[i]..<firstOfRow[i + 1].
  private var firstOfRow: [Int] = []
  private var pairColumns: [Int] = []
  private var pairCosts: [Double] = []
  private var rowDuals: [Double] = []
  private var states: [ColumnState] = []
  // The columns that a search has reached but not yet settled, and those that it has settled, in order.
  private var reached: [Int] = []
  private var settled: [Int] = []

  /// The state of a column: its dual for the whole call, the rest for the search numbered `search`.
  private struct ColumnState {
    var dual = 0.0
    var distance = 0.0
    var previousRow = -1
    var search = -1
    var isSettled = false
  }

  /// Creates a solver without memory.
  package init() {}

  /// Finds the cheapest pairs and stores them in `columnOfRow` and `rowOfColumn`.
  /// - Parameters:
  ///   - rows: The number of rows.
  ///   - columns: The number of columns.
  ///   - pairs: The possible pairs, in any order. A pair whose cost is not finite is ignored; of two for the
  ///     same row and column the cheaper one counts.
  ///   - limit: The cost of an unpaired row and an unpaired column together. A higher limit makes more pairs,
  ///     a lower one fewer.
  /// - Precondition: `limit` is finite; the rows and columns of all pairs exist.
  /// - Complexity: O(pairs) if few rows compete for the same column; O(rows² · columns) in the worst case.
  package mutating func solve(rows: Int, columns: Int, pairs: [Pair], limit: Double) {
    precondition(limit.isFinite, "the limit of an assignment is \(limit); it must be finite")
    columnOfRow.fill(-1, count: rows)
    rowOfColumn.fill(-1, count: columns)
    group(pairs, rows: rows, columns: columns, limit: limit)
    guard !pairColumns.isEmpty else { return }
    rowDuals.fill(0, count: rows)
    states.fill(ColumnState(), count: columns)
    // Below this difference two paths are equal: duals are sums of costs, each rounded.
    let tolerance = 1e-12 * max(1, abs(limit))
    for row in 0..<rows where firstOfRow[row] < firstOfRow[row + 1] {
      augment(from: row, limit: limit, tolerance: tolerance)
    }
  }

  /// Sorts the possible pairs by row, keeping their order within a row.
  private mutating func group(_ pairs: [Pair], rows: Int, columns: Int, limit: Double) {
    firstOfRow.fill(0, count: rows + 1)
    var count = 0
    for pair in pairs where pair.cost <= limit && pair.cost.isFinite {
      precondition(
        pair.row >= 0 && pair.row < rows && pair.column >= 0 && pair.column < columns,
        "the pair (\(pair.row), \(pair.column)) is outside \(rows) rows and \(columns) columns")
      firstOfRow[pair.row] += 1
      count += 1
    }
    pairColumns.fill(0, count: count)
    pairCosts.fill(0, count: count)
    var end = 0
    for row in 0..<rows {
      end += firstOfRow[row]
      firstOfRow[row] = end
    }
    firstOfRow[rows] = count
    for pair in pairs.reversed() where pair.cost <= limit && pair.cost.isFinite {
      firstOfRow[pair.row] -= 1
      pairColumns[firstOfRow[pair.row]] = pair.column
      pairCosts[firstOfRow[pair.row]] = pair.cost
    }
  }

  /// Adds one more row: by the shortest path from it to a free column, or to a row that should become
  /// unpaired.
  private mutating func augment(from start: Int, limit: Double, tolerance: Double) {
    reached.removeAll(keepingCapacity: true)
    settled.removeAll(keepingCapacity: true)
    var row = start
    var distance = 0.0
    var aloneRow = start
    var aloneDistance = Double.infinity
    var end = -1
    while true {
      let base = distance - rowDuals[row]
      if base + limit < aloneDistance - tolerance {
        aloneDistance = base + limit
        aloneRow = row
      }
      relax(row, base: base, search: start)
      guard let next = takeNearest(), states[next].distance <= aloneDistance else { break }
      distance = states[next].distance
      settled.append(next)
      if rowOfColumn[next] < 0 {
        end = next
        break
      }
      row = rowOfColumn[next]
    }
    let length = end >= 0 ? distance : aloneDistance
    rowDuals[start] = length
    for column in settled {
      let change = length - states[column].distance
      states[column].dual -= change
      if rowOfColumn[column] >= 0 { rowDuals[rowOfColumn[column]] += change }
    }
    if end < 0 {
      // The row that becomes unpaired gives its column to the row that reached it.
      end = columnOfRow[aloneRow]
      columnOfRow[aloneRow] = -1
    }
    while end >= 0 {
      let from = states[end].previousRow
      rowOfColumn[end] = from
      swap(&columnOfRow[from], &end)
      if from == start { break }
    }
  }

  /// Shortens the paths to the columns of a row at distance `base` (its distance minus its dual).
  private mutating func relax(_ row: Int, base: Double, search: Int) {
    for index in firstOfRow[row]..<firstOfRow[row + 1] {
      let column = pairColumns[index]
      if states[column].search != search {
        states[column].search = search
        states[column].isSettled = false
        states[column].distance = .infinity
        reached.append(column)
      }
      let distance = base + pairCosts[index] - states[column].dual
      if !states[column].isSettled, distance < states[column].distance {
        states[column].distance = distance
        states[column].previousRow = row
      }
    }
  }

  /// Settles the nearest reached column; of equally near ones a free one, then the lowest.
  private mutating func takeNearest() -> Int? {
    guard var best = reached.first else { return nil }
    var place = 0
    for index in 1..<max(1, reached.count) {
      let column = reached[index]
      let distance = states[column].distance
      let nearest = states[best].distance
      guard distance <= nearest else { continue }
      if distance == nearest {
        let isFree = rowOfColumn[column] < 0
        guard isFree != (rowOfColumn[best] < 0) ? isFree : column < best else { continue }
      }
      best = column
      place = index
    }
    reached.swapAt(place, reached.count - 1)
    reached.removeLast()
    states[best].isSettled = true
    return best
  }
}

extension Array {
  /// Fills the array with `count` times `value`, reusing its memory.
  fileprivate mutating func fill(_ value: Element, count: Int) {
    removeAll(keepingCapacity: true)
    append(contentsOf: repeatElement(value, count: count))
  }
}
