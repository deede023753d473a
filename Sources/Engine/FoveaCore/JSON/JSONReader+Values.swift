// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Takes a whole number: an id.
  package mutating func identifier(_ what: String) throws(JSONFailure) -> Int {
    guard let first = try peek(), first != UInt8(ascii: "\"") else {
      throw mismatch("\(what) is text", "a whole number is needed")
    }
    try checkNumber(first, what)
    guard let integer = try number().integer else { throw mismatch("\(what) is not a whole number") }
    return integer
  }

  /// Takes a number.
  @inline(__always)
  package mutating func double(_ what: String) throws(JSONFailure) -> Double {
    if let first = try peek() { try checkNumber(first, what) }
    return try number().double
  }

  /// Takes a number, or skips anything else.
  package mutating func optionalNumber() throws(JSONFailure) -> Double? {
    guard let first = try peek(), first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") else {
      try skip()
      return nil
    }
    return try number().double
  }

  /// Takes 0, 1, false or true.
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

  /// Takes a string, or skips anything else.
  package mutating func optionalString() throws(JSONFailure) -> String? {
    guard try peek() == UInt8(ascii: "\"") else {
      try skip()
      return nil
    }
    return try stringValue()
  }

  /// Refuses what other tools write in place of a number, by its name.
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

  /// A value of another kind than is needed; the reader's caller says in which entry.
  /// - Parameters:
  ///   - reason: What is wrong, which the place follows.
  ///   - hint: What is needed or meant, which comes after the place.
  /// - Returns: The error.
  package func mismatch(_ reason: String, _ hint: String? = nil) -> JSONFailure {
    JSONFailure(.mismatch, name, "\(reason) at \(place)" + (hint.map { "; \($0)" } ?? ""))
  }
}
