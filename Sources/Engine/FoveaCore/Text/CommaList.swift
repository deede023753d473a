// SPDX-License-Identifier: Apache-2.0

/// A list with commas between its entries, some of which may hold commas themselves.
package enum CommaList {
  /// The entries of a text; white space around them does not count, and an empty one stays.
  package static func parts(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingBlanks)
  }

  /// The names that texts mean, of those that are known.
  ///
  /// A text that is a name as it stands is that name, whatever commas it holds. Any other is taken apart at its commas,
  /// and at each place the longest known name counts, so that `tabby, tabby cat,tiger cat` is two names. Of names that
  /// differ in the blanks around their commas alone, it is the one that is written so, else the first by its
  /// characters. A part that is no name is there as it is.
  package static func names(_ texts: some Sequence<String>, among known: Set<String>) -> [String] {
    // Names with commas, by their own parts, so that blanks after a comma make no difference.
    var joined: [[String]: String] = [:]
    // How many parts such names have, by the first, so that a part which begins none costs one look.
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

  /// The names of a text that is none itself.
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

/// Finite numbers between commas.
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
