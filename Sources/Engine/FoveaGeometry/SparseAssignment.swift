// SPDX-License-Identifier: Apache-2.0

/// Pairs rows with columns at the least cost, where only some pairs are possible and any may stay alone.
///
/// Each row and each column is in one pair at most. A pair costs what is given for it; a row and a column that stay
/// alone cost `limit` together. The answer is the cheapest of all, so that a pair above `limit` is never made, and
/// a cheap pair gives way where two others together are cheaper. With costs of −weight and a limit of 0 it is the
/// matching of the greatest weight.
///
/// Among answers that cost the same (within a part in 10¹²), a lower row is paired before a higher one, and it takes the
/// lowest column that is free. The order of the pairs plays no part.
///
/// The value keeps its memory from call to call, so that calls of like size allocate nothing.
///
/// **Source:** Jonker and Volgenant, "A Shortest Augmenting Path Algorithm for Dense and Sparse Linear Assignment
/// Problems", Computing 38, 1987. Each row has one more column of its own, which costs `limit` and stands for staying
/// alone. A search goes only as far as pairs reach, so that groups without a common pair never see each other.
public struct SparseAssignment: Sendable {
  /// A pair that is possible, and what it costs.
  public struct Pair: Sendable, Hashable {
    /// The row, from 0.
    public var row: Int
    /// The column, from 0.
    public var column: Int
    /// What the pair costs, in any unit; may be below 0.
    public var cost: Double

    /// Makes a pair.
    public init(row: Int, column: Int, cost: Double) {
      self.row = row
      self.column = column
      self.cost = cost
    }
  }

  /// The column that each row of the last call is paired with; −1 where it stays alone.
  public private(set) var columnOfRow: [Int] = []
  /// The row that each column of the last call is paired with; −1 where it stays alone.
  public private(set) var rowOfColumn: [Int] = []

  // The pairs of row i are at firstOfRow[i]..<firstOfRow[i + 1].
  private var firstOfRow: [Int] = []
  private var pairColumns: [Int] = []
  private var pairCosts: [Double] = []
  private var rowDuals: [Double] = []
  private var states: [ColumnState] = []
  // Columns that a search has reached and not yet settled, and those that it has settled, in order.
  private var reached: [Int] = []
  private var settled: [Int] = []

  /// What is known of a column: its dual for the whole call, the rest for the search numbered `search`.
  private struct ColumnState {
    var dual = 0.0
    var distance = 0.0
    var previousRow = -1
    var search = -1
    var isSettled = false
  }

  /// Makes a solver that holds no memory yet.
  public init() {}

  /// Finds the cheapest pairs; `columnOfRow` and `rowOfColumn` hold them afterwards.
  /// - Parameters:
  ///   - rows: How many rows there are.
  ///   - columns: How many columns there are.
  ///   - pairs: The pairs that are possible, in any order. One whose cost is not finite is left out; of two for the same
  ///     row and column the cheaper one counts.
  ///   - limit: What a row and a column that stay alone cost together. Raising it makes more pairs, lowering it fewer.
  /// - Precondition: `limit` is finite; the rows and columns of all pairs exist.
  /// - Complexity: O(pairs) where few rows want the same column; O(rows² · columns) at worst.
  public mutating func solve(rows: Int, columns: Int, pairs: [Pair], limit: Double) {
    precondition(limit.isFinite, "the limit of an assignment is \(limit); it must be finite")
    columnOfRow.fill(-1, count: rows)
    rowOfColumn.fill(-1, count: columns)
    group(pairs, rows: rows, columns: columns, limit: limit)
    guard !pairColumns.isEmpty else { return }
    rowDuals.fill(0, count: rows)
    states.fill(ColumnState(), count: columns)
    // Below this difference two ways are a tie: duals are sums of costs, each rounded.
    let tolerance = 1e-12 * max(1, abs(limit))
    for row in 0..<rows where firstOfRow[row] < firstOfRow[row + 1] {
      augment(from: row, limit: limit, tolerance: tolerance)
    }
  }

  /// Sorts the pairs that can be made by row, keeping their order within a row.
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

  /// Brings one more row in: by the shortest way from it to a free column, or to a row that had better stay alone.
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
      // The row that stays alone from now on gives its column to the one that came to it.
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

  /// Shortens the ways to the columns of a row that lies `base` (its distance less its dual) away.
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

  /// Settles the nearest column that is reached: of equally near ones a free one, then the lowest.
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
  /// Makes the array `count` times `value`, in the memory that it has.
  fileprivate mutating func fill(_ value: Element, count: Int) {
    removeAll(keepingCapacity: true)
    append(contentsOf: repeatElement(value, count: count))
  }
}
