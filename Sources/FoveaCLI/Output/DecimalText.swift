// SPDX-License-Identifier: Apache-2.0

/// Numbers as results print them: rounded to a number of places, no trailing zeros, no exponent in any usual size.
enum DecimalText {
  /// The shortest text with at most `places` decimals: 812.4, 0.91, 4032, -0.5; "null" for what is not finite.
  static func short(_ value: Double, places: Int) -> String {
    text(value, places: places, padded: false)
  }

  /// The text with exactly `places` decimals, for columns that people read.
  static func fixed(_ value: Double, places: Int) -> String {
    text(value, places: places, padded: true)
  }

  /// A whole number with commas between thousands: 1,204.
  static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + text
  }

  private static func text(_ value: Double, places: Int, padded: Bool) -> String {
    guard value.isFinite else { return "null" }
    let scale = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000][min(max(places, 0), 6)]
    let scaled = (value * Double(scale)).rounded()
    // Beyond 2^53 a Double has no decimals; its own description is exact and valid JSON.
    guard abs(scaled) < 9_007_199_254_740_992 else { return value.description }
    let units = Int(scaled)
    let whole = units.magnitude / UInt(scale)
    var fraction = String(units.magnitude % UInt(scale))
    fraction = String(repeating: "0", count: max(0, places - fraction.count)) + fraction
    if places == 0 { fraction = "" }
    if !padded { while fraction.hasSuffix("0") { fraction.removeLast() } }
    return (units < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
  }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }

  /// The duration in seconds.
  var seconds: Double { milliseconds / 1e3 }
}
