// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// The numbers in the JSON of other servers' protocols, under their own names.
enum CallNumbers {
  /// A limit so high that no objects or labels are omitted.
  static let limit = 100_000

  /// Returns a score; nil for nil.
  /// - Throws: A refusal that names it, outside 0…1.
  static func score(_ name: String, _ value: Double?) throws(Refusal) -> Float? {
    guard let value else { return nil }
    guard (0...1).contains(value) else {
      throw Refusal(
        .badRequest, "option-invalid", "'\(name)' is \(text(value)); it must be 0…1",
        remedy: "Give a number from 0 to 1")
    }
    return Float(value)
  }

  /// Returns the maximum number of objects or labels; nil for nil.
  /// - Throws: A refusal that names it, unless it is a whole number from 1.
  static func count(_ name: String, _ value: Double?) throws(Refusal) -> Int? {
    guard let value else { return nil }
    guard value >= 1, value == value.rounded() else {
      throw Refusal(
        .badRequest, "option-invalid", "'\(name)' is \(text(value)); it must be a whole number from 1",
        remedy: "Give a whole number from 1")
    }
    return Int(min(value, Double(limit)))
  }

  /// Returns a number as an error shows it.
  static func text(_ value: Double) -> String {
    abs(value) < 1e15 ? DecimalText.short(value, places: 6) : "\(value)"
  }
}
#endif
