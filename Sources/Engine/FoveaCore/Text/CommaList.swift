// SPDX-License-Identifier: Apache-2.0

/// A list with commas between its entries, some of which may contain commas themselves.
package enum CommaList {
  /// Returns the entries of a string; white space around them is removed, and empty entries are kept.
  package static func parts(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingBlanks)
  }

  /// Returns whether an entry of a string is empty, except the last one: only the known names show whether a
  /// comma at the end is part of a name.
  package static func hasEmptyEntry(_ text: String) -> Bool {
    let parts = parts(text)
    return parts[0].isEmpty || parts.dropLast().contains("")
  }

  /// Returns the known names in strings.
  ///
  /// A string that is itself a name is that name, even if it contains commas. Any other text is split at its
  /// commas, and at each position the longest known name is used, so that `tabby, tabby cat,tiger cat` is two
  /// names. If names differ only in the spaces around their commas, the one with the same spelling is chosen,
  /// else the first. A part that is not a name is returned unchanged.
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
    var names: [String] = []
    var start = 0
    while start < parts.count {
      var (length, name) = (1, parts[start])
      for count in lengths[parts[start]] ?? [] where count <= parts.count - start {
        guard let found = joined[Array(parts[start..<start + count])] else { continue }
        let written = pieces[start..<start + count].joined(separator: ",").trimmingBlanks
        (length, name) = (count, known.contains(written) ? written : found)
        break
      }
      names.append(name)
      start += length
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
