// SPDX-License-Identifier: Apache-2.0

/// The natural order of names: "2.jpg" before "10.jpg".
package enum NaturalOrder {
  /// Returns whether `left` comes before `right`; names that differ only in zeros, or in case, are compared
  /// by bytes.
  ///
  /// Only ASCII letters have case; by default it is ignored.
  package static func precedes(
    _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, ignoringCase: Bool = true
  ) -> Bool {
    var l = left.startIndex
    var r = right.startIndex
    while l < left.endIndex && r < right.endIndex {
      if isDigit(left[l]) && isDigit(right[r]) {
        let first = digits(of: left, from: &l)
        let second = digits(of: right, from: &r)
        // Without leading zeros the longer run of digits is the larger number.
        if first.count != second.count { return first.count < second.count }
        if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) }
      } else {
        let first = ignoringCase ? lowercased(left[l]) : left[l]
        let second = ignoringCase ? lowercased(right[r]) : right[r]
        if first != second { return first < second }
        l += 1
        r += 1
      }
    }
    if (l < left.endIndex) != (r < right.endIndex) { return r < right.endIndex }
    return left.lexicographicallyPrecedes(right)
  }

  private static func digits(of name: ArraySlice<UInt8>, from index: inout Int) -> ArraySlice<UInt8> {
    while index < name.endIndex && name[index] == 0x30 { index += 1 }
    let start = index
    while index < name.endIndex && isDigit(name[index]) { index += 1 }
    return name[start..<index]
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
