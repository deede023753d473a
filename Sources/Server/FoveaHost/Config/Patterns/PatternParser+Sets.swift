// SPDX-License-Identifier: Apache-2.0
#if Server
extension PatternParser {
  /// Reads `[…]`.
  mutating func set() throws(PatternFailure) -> PatternSet {
    let start = index
    index += 1
    let isInverted = take("^")
    var set = PatternSet()
    var isFirst = true
    while let scalar = next {
      if scalar == "]", !isFirst {
        index += 1
        let whole = cased(set)
        return isInverted ? whole.inverted : whole
      }
      isFirst = false
      set = set.union(try item())
    }
    throw PatternFailure(position: start + 1, reason: "the class has no ']'")
  }

  /// Reads a character, a range, an escape or a named class in `[…]`.
  private mutating func item() throws(PatternFailure) -> PatternSet {
    let begin = index
    let low = try member()
    guard next == "-", let first = low.single else { return low }
    index += 1
    // At the end, a dash is a character.
    if next == "]" {
      index -= 1
      return low
    }
    guard let last = try member().single, first <= last else {
      throw PatternFailure(position: begin + 1, reason: "the range of the class ends before it starts")
    }
    return PatternSet([first...last])
  }

  private mutating func member() throws(PatternFailure) -> PatternSet {
    guard let scalar = next else { throw failure("the class has no ']'") }
    if scalar == "\\" { return try escapedSet() }
    index += 1
    guard scalar == "[", take(":") else { return PatternSet(scalar) }
    let isInverted = take("^")
    var name = ""
    while let letter = next, PatternSet.words.contains(letter) {
      name.unicodeScalars.append(letter)
      index += 1
    }
    guard let set = PatternSet.named[name], take(":"), take("]") else {
      throw failure("'[:\(name):]' is not a class of characters")
    }
    return isInverted ? set.inverted : set
  }

  /// Reads an escape of a character or a class.
  mutating func escapedSet() throws(PatternFailure) -> PatternSet {
    index += 1
    guard let scalar = next else { throw failure("the pattern ends after a '\\'") }
    index += 1
    switch scalar {
    case "d": return .digits
    case "D": return PatternSet.digits.inverted
    case "w": return .words
    case "W": return PatternSet.words.inverted
    case "s": return .blanks
    case "S": return PatternSet.blanks.inverted
    case "a": return PatternSet([7...7])
    case "f": return PatternSet([12...12])
    case "n": return PatternSet([10...10])
    case "r": return PatternSet([13...13])
    case "t": return PatternSet([9...9])
    case "v": return PatternSet([11...11])
    case "x": return try hexadecimal()
    default:
      guard scalar.isASCII, !PatternSet.words.contains(scalar) else {
        index -= 1
        throw failure("'\\\(scalar)' is not supported")
      }
      return PatternSet(scalar)
    }
  }

  /// Reads `\x41` or `\x{1F600}`.
  private mutating func hexadecimal() throws(PatternFailure) -> PatternSet {
    var digits = ""
    let isLong = take("{")
    while let scalar = next, scalar.properties.isASCIIHexDigit, digits.utf8.count < (isLong ? 6 : 2) {
      digits.unicodeScalars.append(scalar)
      index += 1
    }
    guard isLong ? take("}") : digits.utf8.count == 2, let value = UInt32(digits, radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw failure("'\\x' needs two hexadecimal digits, or up to six in braces") }
    return PatternSet(scalar)
  }
}

extension PatternSet {
  /// The single character of the set; nil if there are more, or none.
  fileprivate var single: UInt32? {
    guard ranges.count == 1, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }
}
#endif
