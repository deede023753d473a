// SPDX-License-Identifier: Apache-2.0

/// The lines of a CSV text, each with its line break; one inside quotes belongs to its field.
package struct CSVLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var place = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func next() -> ArraySlice<UInt8>? {
    guard place < bytes.count else { return nil }
    let start = place
    var isQuoted = false
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 0x22 { isQuoted.toggle() }
      if byte == 0x0A && !isQuoted { break }
    }
    return bytes[start..<place]
  }
}
