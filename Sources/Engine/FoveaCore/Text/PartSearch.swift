// SPDX-License-Identifier: Apache-2.0

// Swift's own functions for this belong to its regular expressions: a library that calls one of them links
// all of those, 1.4 MB.

extension Collection where Element: Equatable {
  /// Returns the range of the first occurrence of a part: of characters in a string, of bytes in bytes.
  ///
  /// The range of an empty part is empty and lies at the start.
  @inlinable
  package func firstPlace(of part: some Collection<Element>) -> Range<Index>? {
    var start = startIndex
    while true {
      var (end, isHere) = (start, true)
      for element in part {
        guard end < endIndex, self[end] == element else {
          isHere = false
          break
        }
        formIndex(after: &end)
      }
      if isHere { return start..<end }
      guard start < endIndex else { return nil }
      formIndex(after: &start)
    }
  }

  /// Returns whether a part occurs; an empty one always does.
  @inlinable
  package func contains(part: some Collection<Element>) -> Bool { firstPlace(of: part) != nil }
}

extension StringProtocol {
  /// Returns the string with each occurrence of a part replaced, from the start on; an empty part is not
  /// replaced.
  package func replacing(part: String, with other: String) -> String {
    var text = ""
    var rest = self[...]
    while let place = rest.firstPlace(of: part), !place.isEmpty {
      text += rest[..<place.lowerBound]
      text += other
      rest = rest[place.upperBound...]
    }
    text += rest
    return text
  }
}
