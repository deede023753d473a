// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

@Suite struct DecimalTextTests {
  struct NumberCase: CustomTestStringConvertible {
    var value: Double
    var places: Int
    var short: String
    var fixed: String
    var testDescription: String { "\(value) to \(places)" }
  }

  @Test(arguments: [
    NumberCase(value: 0, places: 2, short: "0", fixed: "0.00"),
    NumberCase(value: -0.001, places: 2, short: "0", fixed: "0.00"),
    NumberCase(value: 812.4, places: 2, short: "812.4", fixed: "812.40"),
    NumberCase(value: 1_210.999, places: 2, short: "1211", fixed: "1211.00"),
    NumberCase(value: -0.5, places: 2, short: "-0.5", fixed: "-0.50"),
    NumberCase(value: 0.05, places: 6, short: "0.05", fixed: "0.050000"),
    NumberCase(value: 0.910_000_026, places: 6, short: "0.91", fixed: "0.910000"),
    NumberCase(value: 100, places: 0, short: "100", fixed: "100"),
    NumberCase(value: 1e300, places: 2, short: "1e+300", fixed: "1e+300"),
    NumberCase(
      value: .greatestFiniteMagnitude, places: 6, short: "1.7976931348623157e+308",
      fixed: "1.7976931348623157e+308"),
    NumberCase(value: .nan, places: 2, short: "null", fixed: "null"),
    NumberCase(value: -.infinity, places: 2, short: "null", fixed: "null"),
  ])
  func `a number is rounded`(_ test: NumberCase) {
    #expect(DecimalText.short(test.value, places: test.places) == test.short)
    #expect(DecimalText.fixed(test.value, places: test.places) == test.fixed)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_204, "1,204"), (1_234_567, "1,234,567"), (-1_000, "-1,000"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func `thousands are grouped`(_ value: Int, _ expected: String) {
    #expect(DecimalText.grouped(value) == expected)
  }

  @Test func `twenty thousand random numbers match rounding and printing by digits`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let exponent = Double.random(in: -9...18, using: &random)
      var value = Double.random(in: -1...1, using: &random)
      for _ in 0..<Int(abs(exponent)) { value = exponent < 0 ? value / 10 : value * 10 }
      let places = Int.random(in: 0...6, using: &random)
      #expect(DecimalText.short(value, places: places) == Self.text(value, places, padded: false))
      #expect(DecimalText.fixed(value, places: places) == Self.text(value, places, padded: true))
    }
  }

  /// The rule, in terms of strings.
  private static func text(_ value: Double, _ places: Int, padded: Bool) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard abs(scaled) < 0x1p53 else { return value.description }
    var digits = String(Int(scaled).magnitude)
    digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    var fraction = digits.suffix(places)
    if !padded { while fraction.last == "0" { fraction.removeLast() } }
    let sign = Int(scaled) < 0 ? "-" : ""
    return sign + digits.dropLast(places) + (fraction.isEmpty ? "" : ".") + fraction
  }

  @Test(arguments: [
    (0, "0 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (4_185_023, "4.2 MB"), (999_949, "999.9 kB"),
    (999_999, "1.0 MB"), (1 << 31, "2.1 GB"), (Int.max, "9223372.0 TB"),
  ])
  func `sizes are short`(count: Int, text: String) { #expect(DecimalText.bytes(count) == text) }
}
