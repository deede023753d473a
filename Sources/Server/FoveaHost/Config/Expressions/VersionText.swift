// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A version that is compared part by part: `2.10` is above `2.9`, and `2` equals `2.0`.
package struct VersionText: Sendable, Hashable {
  /// Without zeros at the end.
  package let parts: [UInt64]

  /// Reads digits and dots; nil for anything else, for a part that is empty or has more than 18 digits, and
  /// for more than `mostParts` parts.
  package init?(_ text: String, mostParts: Int = 20) {
    var parts: [UInt64] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard (1...18).contains(part.utf8.count), part.utf8.allSatisfy(\.isASCIIDigit),
        let number = UInt64(part), parts.count < mostParts
      else { return nil }
      parts.append(number)
    }
    while parts.last == 0 { parts.removeLast() }
    self.parts = parts
  }

  /// Returns a negative number if this version is smaller, 0 if both are equal.
  package func order(to other: VersionText) -> Int {
    for index in 0..<max(parts.count, other.parts.count) {
      let first = index < parts.count ? parts[index] : 0
      let second = index < other.parts.count ? other.parts[index] : 0
      if first != second { return first < second ? -1 : 1 }
    }
    return 0
  }
}
#endif
