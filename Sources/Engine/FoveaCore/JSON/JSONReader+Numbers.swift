// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Reads a number.
  package mutating func number() throws(JSONFailure) -> JSONNumber {
    _ = try peek()
    try need(JSONReader.maximumNumberLength + 1)
    let start = at
    var number = JSONNumber()
    if at < end, bytes[at] == UInt8(ascii: "-") {
      number.isNegative = true
      at += 1
    }
    guard at < end, isDigit(bytes[at]) else {
      at = start
      throw try unexpected("a value is expected")
    }
    if bytes[at] == UInt8(ascii: "0") {
      at += 1
      if at < end, isDigit(bytes[at]) { throw notJSON("a number has a leading zero") }
    } else {
      digits(of: &number, start: start, scale: 0)
    }
    if at < end, bytes[at] == UInt8(ascii: ".") {
      at += 1
      number.isInteger = false
      guard at < end, isDigit(bytes[at]) else { throw notJSON("a digit is expected after the point") }
      digits(of: &number, start: start, scale: -1)
    }
    if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      number.isInteger = false
      try exponent(of: &number, start: start)
    }
    guard at - start <= JSONReader.maximumNumberLength else {
      throw notJSON("a number has more than \(JSONReader.maximumNumberLength) characters")
    }
    if !number.isExact { number.text = Array(bytes[start..<at]) }
    return number
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  @inline(__always)
  private mutating func digits(of number: inout JSONNumber, start: Int, scale: Int) {
    while at < end, at - start <= JSONReader.maximumNumberLength {
      let digit = bytes[at] &- UInt8(ascii: "0")
      guard digit < 10 else { return }
      number.append(digit, scale: scale)
      at += 1
    }
  }

  private mutating func exponent(of number: inout JSONNumber, start: Int) throws(JSONFailure) {
    var isNegative = false
    if at < end, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
      isNegative = bytes[at] == UInt8(ascii: "-")
      at += 1
    }
    guard at < end, isDigit(bytes[at]) else { throw notJSON("a digit is expected in the exponent") }
    var exponent = 0
    while at < end, isDigit(bytes[at]), at - start <= JSONReader.maximumNumberLength {
      exponent = min(exponent * 10 + Int(bytes[at] - UInt8(ascii: "0")), 100_000)
      at += 1
    }
    number.exponent += isNegative ? -exponent : exponent
  }
}
