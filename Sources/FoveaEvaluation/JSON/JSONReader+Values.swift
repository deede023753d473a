// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Takes a whole number: an id.
  mutating func identifier(_ what: String) throws(EvaluationError) -> Int {
    guard let first = try peek(), first != UInt8(ascii: "\"") else {
      throw mismatch("\(what) is text; a whole number is needed")
    }
    try checkNumber(first, what)
    guard let integer = try number().integer else { throw mismatch("\(what) is not a whole number") }
    return integer
  }

  /// Takes a number.
  @inline(__always)
  mutating func double(_ what: String) throws(EvaluationError) -> Double {
    if let first = try peek() { try checkNumber(first, what) }
    return try number().double
  }

  /// Takes 0, 1, false or true.
  mutating func flag(_ what: String) throws(EvaluationError) -> Bool {
    switch try peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: return try double(what) != 0
    }
  }

  /// Takes a string, or passes over whatever else is there.
  mutating func optionalString() throws(EvaluationError) -> String? {
    guard try peek() == UInt8(ascii: "\"") else {
      try skip()
      return nil
    }
    return try stringValue()
  }

  /// Takes [x, y, width, height].
  mutating func box() throws(EvaluationError) -> COCOBox {
    guard try take(UInt8(ascii: "[")) else { throw mismatch("bbox is not an array of four numbers") }
    var box = COCOBox(x: 0, y: 0, width: 0, height: 0)
    box.x = try boxNumber()
    try boxComma()
    box.y = try boxNumber()
    try boxComma()
    box.width = try boxNumber()
    try boxComma()
    box.height = try boxNumber()
    guard try take(UInt8(ascii: "]")) else { throw mismatch("bbox has more than four numbers") }
    return box
  }

  @inline(__always)
  private mutating func boxNumber() throws(EvaluationError) -> Double {
    if try peek() == UInt8(ascii: "]") { throw mismatch("bbox has fewer than four numbers") }
    return try double("a number of bbox")
  }

  @inline(__always)
  private mutating func boxComma() throws(EvaluationError) {
    if try take(UInt8(ascii: ",")) { return }
    if try peek() == UInt8(ascii: "]") { throw mismatch("bbox has fewer than four numbers") }
    throw try unexpected("a comma is expected")
  }

  /// Refuses what other tools write in place of a number, by its name.
  @inline(__always)
  private mutating func checkNumber(_ first: UInt8, _ what: String) throws(EvaluationError) {
    guard first &- UInt8(ascii: "0") >= 10, first != UInt8(ascii: "-") else { return }
    throw try notANumber(first, what)
  }

  @inline(never)
  private mutating func notANumber(_ first: UInt8, _ what: String) throws(EvaluationError) -> EvaluationError
  {
    switch first {
    case UInt8(ascii: "N"), UInt8(ascii: "I"):
      notJSON("\(what) is NaN or Infinity, which JSON does not have,")
    case UInt8(ascii: "n"): mismatch("\(what) is null; a number is needed")
    case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      mismatch("\(what) is not a number")
    default: try unexpected("a value is expected")
    }
  }

  /// A value of another kind than is needed; the reader's caller says in which entry.
  func mismatch(_ reason: String) -> EvaluationError {
    EvaluationError(
      .invalidDetections, "\(name): \(reason) at \(place)",
      remedy: "Correct that entry, or the tool that wrote it")
  }
}
