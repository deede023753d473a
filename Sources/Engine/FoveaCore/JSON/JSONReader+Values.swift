// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Reads an id, which is a whole number.
  package mutating func identifier(_ what: String) throws(JSONFailure) -> Int {
    guard let first = try peek(), first != UInt8(ascii: "\"") else {
      throw mismatch("\(what) is text", "a whole number is needed")
    }
    try checkNumber(first, what)
    guard let integer = try number().integer else { throw mismatch("\(what) is not a whole number") }
    return integer
  }

  /// Reads a number.
  @inline(__always)
  package mutating func double(_ what: String) throws(JSONFailure) -> Double {
    if let first = try peek() { try checkNumber(first, what) }
    return try number().double
  }

  /// Reads a number, or skips any other value.
  package mutating func optionalNumber() throws(JSONFailure) -> Double? {
    guard let first = try peek(), first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") else {
      try skip()
      return nil
    }
    return try number().double
  }

  /// Reads NaN or an infinity, which JSON does not have but Python writes; nil for any other value.
  package mutating func nonFinite() throws(JSONFailure) -> String? {
    let first = try peek()
    guard first == UInt8(ascii: "N") || first == UInt8(ascii: "I") || first == UInt8(ascii: "-") else {
      return nil
    }
    try need(9)
    for word in ["NaN", "Infinity", "-Infinity"] where bytes[at..<end].starts(with: word.utf8) {
      at += word.utf8.count
      return word
    }
    return nil
  }

  /// Reads 0, 1, false or true.
  package mutating func flag(_ what: String) throws(JSONFailure) -> Bool {
    switch try peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    case let first? where first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-"):
      let number = try double(what)
      guard number == 0 || number == 1 else {
        throw mismatch("\(what) is neither true nor false, nor 0 or 1")
      }
      return number == 1
    default: throw mismatch("\(what) is neither true nor false")
    }
  }

  /// Reads a string, or skips any other value.
  package mutating func optionalString() throws(JSONFailure) -> String? {
    guard try peek() == UInt8(ascii: "\"") else {
      try skip()
      return nil
    }
    return try stringValue()
  }

  /// Refuses values that other tools write instead of a number, with a specific error.
  @inline(__always)
  private mutating func checkNumber(_ first: UInt8, _ what: String) throws(JSONFailure) {
    guard first &- UInt8(ascii: "0") >= 10, first != UInt8(ascii: "-") else { return }
    throw try notANumber(first, what)
  }

  @inline(never)
  private mutating func notANumber(_ first: UInt8, _ what: String) throws(JSONFailure) -> JSONFailure {
    switch first {
    case UInt8(ascii: "N"), UInt8(ascii: "I"):
      notJSON("\(what) is NaN or Infinity, which JSON does not have,")
    case UInt8(ascii: "n"): mismatch("\(what) is null", "a number is needed")
    case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      mismatch("\(what) is not a number")
    default: try unexpected("a value is expected")
    }
  }

  /// Returns the error of a value of a different kind than required; the caller adds the entry.
  /// - Parameters:
  ///   - reason: The problem; the position is appended to it.
  ///   - hint: The required or intended value, after the position.
  /// - Returns: The error.
  package func mismatch(_ reason: String, _ hint: String? = nil) -> JSONFailure {
    JSONFailure(.mismatch, name, "\(reason) at \(place)" + (hint.map { "; \($0)" } ?? ""))
  }
}
