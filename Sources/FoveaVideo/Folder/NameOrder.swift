// SPDX-License-Identifier: Apache-2.0

/// The order in which people count: "frame2.jpg" before "frame10.jpg".
enum NameOrder {
  /// Whether one name comes before another; names that differ in leading zeros alone fall back to their bytes.
  static func precedes(_ left: String, _ right: String) -> Bool {
    var l = Array(left.utf8)[...]
    var r = Array(right.utf8)[...]
    while let first = l.first, let second = r.first {
      if isDigit(first), isDigit(second) {
        let one = number(&l)
        let other = number(&r)
        // Without leading zeros the longer run of digits is the larger number.
        if one.count != other.count { return one.count < other.count }
        if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
      } else if first != second {
        return first < second
      } else {
        l.removeFirst()
        r.removeFirst()
      }
    }
    if l.isEmpty != r.isEmpty { return l.isEmpty }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func number(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == 0x30 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
