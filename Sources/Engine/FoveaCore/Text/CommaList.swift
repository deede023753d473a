// SPDX-License-Identifier: Apache-2.0

/// A list with commas between its entries, some of which may contain commas themselves.
package enum CommaList {
  /// Returns the entries of a string; white space around them is removed, and empty entries are kept.
  package static func parts(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingBlanks)
  }

  /// Returns the known names in strings.
  ///
  /// A string that is itself a name is that name, even if it contains commas. Any other text is split at its
  /// commas, and at each position the longest known name is used, so that `tabby, tabby cat,tiger cat` is two
  /// names; a shorter one if what follows the longest cannot be names, but what follows the shorter can. If
  /// names differ only in the spaces around their commas, the one with the same spelling is chosen, else the
  /// first. A part that is not a name is returned unchanged.
  package static func names(_ texts: some Sequence<String>, among known: Set<String>) -> [String] {
    // Names with commas, by their parts, so that spaces after a comma make no difference.
    var joined: [[String]: String] = [:]
    // The numbers of parts of such names, by the first part, so that a part that does not start a name needs
    // one lookup.
    var lengths: [String: Set<Int>] = [:]
    for name in known where name.contains(",") {
      let key = parts(name)
      joined[key] = joined[key].map { min($0, name) } ?? name
      lengths[key[0], default: []].insert(key.count)
    }
    let longestFirst = lengths.mapValues { $0.sorted(by: >) }
    return texts.flatMap { text in
      known.contains(text) ? [text] : apart(text, among: known, joined: joined, lengths: longestFirst)
    }
  }

  /// Returns the names in a string that is not itself a name.
  private static func apart(
    _ text: String, among known: Set<String>, joined: [[String]: String], lengths: [String: [Int]]
  ) -> [String] {
    let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
    let parts = pieces.map(\.trimmingBlanks)
    typealias Entry = (name: String, count: Int, isKnown: Bool)
    // The name that begins at each part, the last first, and whether it and those behind it are all known.
    var found: [Entry] = []
    for start in parts.indices.reversed() {
      func isKnown(behind count: Int) -> Bool {
        start + count == parts.count || found[parts.count - start - count - 1].isKnown
      }
      var entries: [Entry] = []
      for count in lengths[parts[start]] ?? [] where count <= parts.count - start {
        guard let name = joined[Array(parts[start..<start + count])] else { continue }
        let written = pieces[start..<start + count].joined(separator: ",").trimmingBlanks
        entries.append((known.contains(written) ? written : name, count, isKnown(behind: count)))
      }
      entries.append((parts[start], 1, known.contains(parts[start]) && isKnown(behind: 1)))
      found.append(entries.first(where: \.isKnown) ?? entries[0])
    }
    var names: [String] = []
    var start = 0
    while start < parts.count {
      let next = found[parts.count - start - 1]
      names.append(next.name)
      start += next.count
    }
    return names
  }
}

/// Finite numbers separated by commas.
package struct NumberList {
  package let values: [Double]

  package init?(_ text: String) {
    var values: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = Double(part), value.isFinite else { return nil }
      values.append(value)
    }
    self.values = values
  }
}
