// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct SparseAssignmentTests {
  typealias Pair = SparseAssignment.Pair

  struct AssignmentCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rows = 2
    var columns = 2
    var costs: [[Double]]
    var limit = 1.0
    var columnOfRow: [Int]
  }

  static let cases = [
    AssignmentCase(testDescription: "nothing", rows: 0, columns: 0, costs: [], columnOfRow: []),
    AssignmentCase(testDescription: "no columns", columns: 0, costs: [[], []], columnOfRow: [-1, -1]),
    AssignmentCase(testDescription: "no rows", rows: 0, costs: [], columnOfRow: []),
    AssignmentCase(testDescription: "one", rows: 1, columns: 1, costs: [[0.5]], columnOfRow: [0]),
    AssignmentCase(
      testDescription: "one above the limit", rows: 1, columns: 1, costs: [[1.5]], columnOfRow: [-1]),
    AssignmentCase(testDescription: "one at the limit", rows: 1, columns: 1, costs: [[1]], columnOfRow: [0]),
    AssignmentCase(
      testDescription: "a cheap pair gives way to two", costs: [[0.1, 0.3], [0.2, .nan]], columnOfRow: [1, 0]),
    AssignmentCase(
      testDescription: "two pairs only if they beat one", costs: [[0.0, 0.9], [0.3, .nan]],
      columnOfRow: [0, -1]),
    AssignmentCase(
      testDescription: "one pair beats two expensive ones", costs: [[0.1, 0.9], [0.9, .nan]], limit: 1,
      columnOfRow: [0, -1]),
    AssignmentCase(
      testDescription: "all the same", rows: 3, columns: 3,
      costs: Array(repeating: [0.3, 0.3, 0.3], count: 3),
      columnOfRow: [0, 1, 2]),
    AssignmentCase(
      testDescription: "the lower row keeps a column that two want alike", rows: 3, columns: 1,
      costs: [[0.3], [0.3], [0.3]], columnOfRow: [0, -1, -1]),
    AssignmentCase(
      testDescription: "the lowest of equal columns is used", rows: 1, columns: 3, costs: [[0.7, 0.2, 0.2]],
      columnOfRow: [1]),
    AssignmentCase(
      testDescription: "costs that are not finite", costs: [[.nan, .infinity], [-.infinity, 0.1]],
      columnOfRow: [-1, 1]),
    AssignmentCase(
      testDescription: "the greatest weight", costs: [[-3, -4], [-1, -3]], limit: 0, columnOfRow: [0, 1]),
    AssignmentCase(
      testDescription: "huge costs", costs: [[-1e300, -2e299], [-2e299, -1e299]], limit: 0,
      columnOfRow: [0, 1]),
  ]

  static func pairs(_ costs: [[Double]]) -> [Pair] {
    costs.enumerated().flatMap { row, values in
      values.enumerated().map { Pair(row: row, column: $0.offset, cost: $0.element) }
    }
  }

  @Test("The cheapest pairs are found, and ties go to lower rows and columns", arguments: cases)
  func tables(_ assignment: AssignmentCase) {
    var solver = SparseAssignment()
    for pairs in [Self.pairs(assignment.costs), Self.pairs(assignment.costs).reversed()] {
      solver.solve(
        rows: assignment.rows, columns: assignment.columns, pairs: pairs, limit: assignment.limit)
      #expect(solver.columnOfRow == assignment.columnOfRow)
      #expect(solver.rowOfColumn.count == assignment.columns)
      for (row, column) in solver.columnOfRow.enumerated() where column >= 0 {
        #expect(solver.rowOfColumn[column] == row)
      }
    }
  }

  @Test("The lower of two costs for one pair counts")
  func twice() {
    var solver = SparseAssignment()
    let pairs = [
      Pair(row: 0, column: 0, cost: 0.9), Pair(row: 0, column: 0, cost: 0.1),
      Pair(row: 1, column: 0, cost: 0.5),
    ]
    solver.solve(rows: 2, columns: 1, pairs: pairs, limit: 1)
    #expect(solver.columnOfRow == [0, -1])
  }

  /// The saving of pairs compared with `limit` each: the part of the total that depends on the choice.
  static func gain(_ columnOfRow: [Int], _ costs: [[Double]], limit: Double) -> Double {
    columnOfRow.enumerated().reduce(0) { $0 + ($1.element < 0 ? 0 : costs[$1.offset][$1.element] - limit) }
  }

  /// Tries every choice.
  static func least(_ costs: [[Double]], limit: Double, row: Int = 0, used: Int = 0) -> Double {
    guard row < costs.count else { return 0 }
    var best = least(costs, limit: limit, row: row + 1, used: used)
    for (column, cost) in costs[row].enumerated() where used & 1 << column == 0 && cost <= limit {
      let rest = least(costs, limit: limit, row: row + 1, used: used | 1 << column)
      best = min(best, cost - limit + rest)
    }
    return best
  }

  @Test("Small problems cost the same as trying every choice")
  func bruteForce() {
    var generator = SeededGenerator(seed: 5)
    var solver = SparseAssignment()
    for _ in 0..<4000 {
      let rows = generator.below(7)
      let columns = generator.below(7)
      let limit = generator.number(-0.2...1.2)
      let density = generator.number(0...1)
      // A coarse grid causes many ties.
      let steps = generator.below(2) == 0 ? 4.0 : 1e9
      let costs = (0..<rows).map { _ in
        (0..<columns).map { _ in
          generator.number(0...1) < density ? (generator.number(-0.3...1) * steps).rounded() / steps : .nan
        }
      }
      var pairs = Self.pairs(costs)
      solver.solve(rows: rows, columns: columns, pairs: pairs, limit: limit)
      let found = solver.columnOfRow
      #expect(abs(Self.gain(found, costs, limit: limit) - Self.least(costs, limit: limit)) < 1e-9)
      let paired = found.filter { $0 >= 0 }
      #expect(Set(paired).count == paired.count)
      pairs.shuffle(using: &generator)
      solver.solve(rows: rows, columns: columns, pairs: pairs, limit: limit)
      #expect(solver.columnOfRow == found)
    }
  }

  /// The least total of a square problem in which every row is paired, by the classical method of potentials.
  static func hungarian(_ costs: [[Double]]) -> Double {
    let size = costs.count
    var rowPotential = Array(repeating: 0.0, count: size + 1)
    var columnPotential = rowPotential
    var match = Array(repeating: 0, count: size + 1)
    for row in 1...size {
      var way = Array(repeating: 0, count: size + 1)
      var least = Array(repeating: Double.infinity, count: size + 1)
      var used = Array(repeating: false, count: size + 1)
      match[0] = row
      var column = 0
      repeat {
        used[column] = true
        var delta = Double.infinity
        var next = 0
        for other in 1...size where !used[other] {
          let reduced =
            costs[match[column] - 1][other - 1] - rowPotential[match[column]] - columnPotential[other]
          if reduced < least[other] {
            least[other] = reduced
            way[other] = column
          }
          if least[other] < delta {
            delta = least[other]
            next = other
          }
        }
        for other in 0...size {
          if used[other] {
            rowPotential[match[other]] += delta
            columnPotential[other] -= delta
          } else {
            least[other] -= delta
          }
        }
        column = next
      } while match[column] != 0
      while column != 0 {
        match[column] = match[way[column]]
        column = way[column]
      }
    }
    return (1...size).reduce(0) { $0 + costs[match[$1] - 1][$1 - 1] }
  }

  @Test("Large problems cost the same as the extended square problem", arguments: [0.02, 0.05, 0.3, 1.0])
  func large(density: Double) {
    var generator = SeededGenerator(seed: UInt64(density * 100))
    let rows = 60
    let columns = 80
    let limit = 0.8
    let costs = (0..<rows).map { _ in
      (0..<columns).map { _ in generator.number(0...1) < density ? generator.number(0...1) : 1e3 }
    }
    // The square problem of the definition: half the limit for each unpaired one.
    let size = rows + columns
    let square = (0..<size).map { row in
      (0..<size).map { column in
        if row < rows, column < columns { return costs[row][column] > limit ? 1e3 : costs[row][column] }
        return row < rows || column < columns ? limit / 2 : 0
      }
    }
    var solver = SparseAssignment()
    solver.solve(rows: rows, columns: columns, pairs: Self.pairs(costs), limit: limit)
    let total = Self.gain(solver.columnOfRow, costs, limit: limit) + limit / 2 * Double(size)
    #expect(abs(total - Self.hungarian(square)) < 1e-9)
  }

  @Test("A reused solver gives the same result as a new one")
  func reuse() {
    var generator = SeededGenerator(seed: 9)
    var used = SparseAssignment()
    for _ in 0..<50 {
      let rows = generator.below(30)
      let columns = generator.below(30)
      let pairs = (0..<rows * columns / 4).map { _ in
        Pair(row: generator.below(rows), column: generator.below(columns), cost: generator.number(0...1))
      }
      var fresh = SparseAssignment()
      fresh.solve(rows: rows, columns: columns, pairs: pairs, limit: 0.7)
      used.solve(rows: rows, columns: columns, pairs: pairs, limit: 0.7)
      #expect(used.columnOfRow == fresh.columnOfRow)
      #expect(used.rowOfColumn == fresh.rowOfColumn)
    }
  }
}
