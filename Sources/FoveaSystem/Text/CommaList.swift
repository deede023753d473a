// SPDX-License-Identifier: Apache-2.0

/// A list with commas between its entries, some of which may hold commas themselves.
package enum CommaList {
  /// The entries of a text; white space around them does not count, and an empty one stays.
  package static func parts(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingBlanks)
  }

  /// The names that a text means, of those that are known.
  ///
  /// A text that is a name as it stands is that name, whatever commas it holds. Any other is taken apart at its commas,
  /// and at each place the longest known name counts, so that `tabby, tabby cat,tiger cat` is two names. A part that is
  /// no name is there as it is.
  package static func names(_ text: String, among known: Set<String>) -> [String] {
    guard !known.contains(text) else { return [text] }
    let parts = parts(text)
    // Names with commas, by their own parts, so that blanks after a comma make no difference.
    var joined: [[String]: String] = [:]
    for name in known where name.contains(",") { joined[CommaList.parts(name)] = name }
    let longest = joined.keys.lazy.map(\.count).max() ?? 1
    var names: [String] = []
    var start = 0
    while start < parts.count {
      let lengths = stride(from: min(longest, parts.count - start), to: 1, by: -1)
      if let length = lengths.first(where: { joined[Array(parts[start..<start + $0])] != nil }),
        let name = joined[Array(parts[start..<start + length])]
      {
        names.append(name)
        start += length
      } else {
        names.append(parts[start])
        start += 1
      }
    }
    return names
  }
}
