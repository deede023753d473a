// SPDX-License-Identifier: Apache-2.0

/// Numbers in the format of results: rounded to a number of places, without trailing zeros, and without an
/// exponent in any usual size.
package enum DecimalText {
  /// Returns the shortest text with at most `places` decimals: 812.4, 0.91, 4032, -0.5; "null" if it is not
  /// finite.
  package static func short(_ value: Double, places: Int) -> String {
    text(value, places: places, padded: false)
  }

  /// Returns the number as a file may have it, for messages: -50 and not -50.0, all digits of others.
  package static func exact(_ value: Double) -> String {
    Int(exactly: value).flatMap { $0.magnitude < 1 << 53 ? String($0) : nil } ?? "\(value)"
  }

  /// Returns the text with exactly `places` decimals, for columns that people read.
  package static func fixed(_ value: Double, places: Int) -> String {
    text(value, places: places, padded: true)
  }

  /// Returns a whole number with commas between thousands: 1,204.
  package static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + text
  }

  /// Returns a number with its noun: 1 frame, 1,204 frames.
  package static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(grouped(count)) \(count == 1 ? one : many)"
  }

  /// Returns a readable size of about three digits: 812 bytes, 4.2 MB, 1.3 GB.
  ///
  /// 1 MB is a million bytes, as for disks and networks.
  package static func bytes(_ count: Int) -> String {
    var value = Double(count)
    guard value >= 1_000 else { return "\(count) bytes" }
    var unit = ""
    for name in ["kB", "MB", "GB", "TB"] {
      value /= 1_000
      unit = name
      // Rounding must not give 1000.0.
      if value < 999.95 { break }
    }
    return "\(fixed(value, places: 1)) \(unit)"
  }

  private static func text(_ value: Double, places: Int, padded: Bool) -> String {
    var bytes: [UInt8] = []
    append(value, places: places, padded: padded, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a number in the form of `fixed` if `padded`, else in the form of `short`.
  package static func append(_ value: Double, places: Int, padded: Bool = false, to bytes: inout [UInt8]) {
    guard value.isFinite else { return bytes.append(contentsOf: "null".utf8) }
    var places = min(max(places, 0), 6)
    var scale: UInt = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = (value * Double(scale)).rounded()
    // Beyond 2^53 a Double has no decimals; its own description is exact and valid JSON.
    guard abs(scaled) < 9_007_199_254_740_992 else { return bytes.append(contentsOf: value.description.utf8) }
    var units = UInt(abs(scaled))
    if !padded {
      while places > 0, units % 10 == 0 {
        units /= 10
        places -= 1
      }
    }
    appendDigits(units, decimals: places, isNegative: scaled < 0, to: &bytes)
  }

  /// Appends a whole number.
  package static func append(_ value: Int, to bytes: inout [UInt8]) {
    appendDigits(value.magnitude, decimals: 0, isNegative: value < 0, to: &bytes)
  }

  /// Appends `units` with a point before its last digits.
  private static func appendDigits(_ units: UInt, decimals: Int, isNegative: Bool, to bytes: inout [UInt8]) {
    // At most 20 digits, or 6 after a point and a 0 before it, and a sign; written from the right.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
      var start = 24
      var units = units
      var written = 0
      repeat {
        start -= 1
        unsafe text[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: units % 10)
        units /= 10
        written += 1
        if written == decimals {
          start -= 1
          unsafe text[start] = UInt8(ascii: ".")
        }
      } while units > 0 || written <= decimals
      if isNegative {
        start -= 1
        unsafe text[start] = UInt8(ascii: "-")
      }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
  }
}
