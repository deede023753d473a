// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaCore

@Suite struct JSONNumberTests {
  static func number(_ text: String) throws -> JSONNumber {
    var reader = JSONReader(bytes: Array(text.utf8), name: "T")
    let number = try reader.number()
    try reader.expectEnd()
    return number
  }

  @Test(arguments: [
    "0", "-0", "1", "-1", "0.1", "0.30000000000000004", "123456789012345678", "9007199254740993",
    "9007199254740992.9", "0.000001", "1e22", "1e23", "1e-22", "1e-23", "1e308", "1e309", "-1e400",
    "4.9e-324",
    "2.4e-324", "1e-400", "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "18446744073709551616", "12345678901234567890123", "0.00000000000000000000000000012345", "1e99999999999",
    "0e99999999999", "2.2250738585072011e-308", "0.500000000000000166533453693773481063544750213623046875",
    "1.7976931348623157e308", "8.5", "123456789.0123456789",
  ])
  func `a number is the nearest double`(_ text: String) throws {
    #expect(try Self.number(text).double == Double(text))
  }

  @Test func `random numbers are the nearest double`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let digits = String(random.next() >> UInt64(random.below(60)))
      let point = random.below(20)
      let text =
        switch random.below(3) {
        case 0: "0." + String(repeating: "0", count: random.below(4)) + digits
        case 1: digits + "." + String(random.below(1_000_000))
        default: digits + "e" + String(point - 25)
        }
      let value = try Self.number(text).double
      #expect(value == Double(text), "\(text)")
    }
    for _ in 0..<5_000 {
      let value = Double.random(in: 0..<1_000, using: &random)
      #expect(try Self.number("\(value)").double == value)
    }
  }

  struct IntegerCase: CustomTestStringConvertible {
    var text: String
    var integer: Int?
    var testDescription: String { text }
  }

  @Test(arguments: [
    IntegerCase(text: "0", integer: 0), IntegerCase(text: "-17", integer: -17),
    IntegerCase(text: "285.0", integer: 285), IntegerCase(text: "1e3", integer: 1_000),
    IntegerCase(text: "285.5", integer: nil), IntegerCase(text: "9223372036854775807", integer: .max),
    IntegerCase(text: "9223372036854775808", integer: nil), IntegerCase(text: "1e300", integer: nil),
    IntegerCase(text: "100000000000000000000000", integer: nil),
  ])
  func `ids are whole numbers`(_ test: IntegerCase) throws {
    #expect(try Self.number(test.text).integer == test.integer)
  }
}
