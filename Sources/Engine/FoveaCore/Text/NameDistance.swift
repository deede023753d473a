// SPDX-License-Identifier: Apache-2.0

/// Finds the names nearest to a misspelt one.
package enum NameDistance {
  /// Returns the near candidates, best first, at most three.
  ///
  /// A candidate is near if at most two letters differ, or a third of the shorter name's, or if one name
  /// contains the other.
  package static func nearest(to text: String, among candidates: [String]) -> [String] {
    let wanted = Array(text.lowercased().utf8.prefix(100))
    guard wanted.count >= 2 else { return [] }
    var found: [(name: String, rank: Int)] = []
    for name in candidates {
      let letters = Array(name.lowercased().utf8)
      let changes = distance(wanted, letters)
      if changes <= max(2, min(wanted.count, letters.count) / 3) {
        found.append((name, changes))
      } else if contains(letters, wanted) || contains(wanted, letters) {
        found.append((name, 100 + changes))
      }
    }
    return found.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.prefix(3).map(\.name)
  }

  /// Returns the number of letters that differ between two names, in any case; their first 100 are compared.
  package static func changes(from first: some StringProtocol, to second: some StringProtocol) -> Int {
    distance(Array(first.lowercased().utf8.prefix(100)), Array(second.lowercased().utf8.prefix(100)))
  }

  /// Returns the least number of letters to insert, remove, replace, or swap with their neighbour.
  ///
  /// **Source:** the optimal string alignment distance; Damerau, "A technique for computer detection and
  /// correction of spelling errors", CACM 7 (1964).
  static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var older: [Int] = []
    var previous = Array(0...second.count)
    for row in 0..<first.count {
      var current = [row + 1]
      for column in 0..<second.count {
        let replaced = previous[column] + (first[row] == second[column] ? 0 : 1)
        var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          best = min(best, older[column - 1] + 1)
        }
        current.append(best)
      }
      (older, previous) = (previous, current)
    }
    return previous[second.count]
  }

  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= text.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
