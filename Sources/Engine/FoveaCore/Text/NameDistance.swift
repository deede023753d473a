// SPDX-License-Identifier: Apache-2.0

/// Finds the names nearest to a misspelt one.
package enum NameDistance {
  /// Returns the near candidates, best first, at most three; of those with as many changes, the one that
  /// begins like the text comes first: `tags` before `etag` for `tag`.
  ///
  /// A candidate is near if at most a third of the shorter name's letters differ, or one letter, as for
  /// `cargo`. Of names with three letters, one may only be added, left out or swapped, and not the first:
  /// another letter makes another word, such as `cat` and `car`. A candidate is also near if one name is
  /// part of the other: three letters at its start or as a word of their own, or four anywhere.
  package static func nearest(to text: String, among candidates: [String]) -> [String] {
    let wanted = Array(text.lowercased().utf8.prefix(100))
    guard wanted.count >= 2 else { return [] }
    var found: [(name: String, rank: Int, start: Int)] = []
    for name in candidates {
      let letters = Array(name.lowercased().utf8)
      let changes = distance(wanted, letters)
      let start = zip(wanted, letters).prefix { $0 == $1 }.count
      if isNear(wanted, letters, changes: changes, start: start) {
        found.append((name, changes, -start))
      } else if isPart(wanted, of: letters) || isPart(letters, of: wanted) {
        found.append((name, 100 + changes, -start))
      }
    }
    return found.sorted { ($0.rank, $0.start, $0.name) < ($1.rank, $1.start, $1.name) }.prefix(3).map(\.name)
  }

  /// Returns whether two names differ by few letters, of which `start` are equal at the start.
  private static func isNear(_ first: [UInt8], _ second: [UInt8], changes: Int, start: Int) -> Bool {
    let shorter = min(first.count, second.count)
    guard shorter <= 3, changes > 0 else { return changes <= max(1, shorter / 3) }
    return changes == 1 && start > 0 && (first.count != second.count || first.sorted() == second.sorted())
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

  /// Returns whether a name is part of another: at its start, as a word, or with four letters anywhere.
  private static func isPart(_ part: [UInt8], of text: [UInt8]) -> Bool {
    guard part.count >= 3, part.count <= text.count else { return false }
    func isWordEnd(_ place: Int) -> Bool {
      !text.indices.contains(place) || !text[place].isASCIILetterOrDigit
    }
    return (0...(text.count - part.count)).contains { start in
      let end = start + part.count
      return text[start..<end].elementsEqual(part)
        && (part.count > 3 || start == 0 || isWordEnd(start - 1) && isWordEnd(end))
    }
  }
}
