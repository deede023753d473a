// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// A value that an option cannot have: the cause of an error that uses the option's name in Swift.
///
/// A front end replaces the name and the value by its own.
package struct OptionProblem: Error, Hashable {
  /// The name of the option, like `NamedOption.name`: "max-objects".
  package let name: String
  /// The value as text.
  package var value: String
  /// The allowed values: "0…1", "1 or more", "a whole number".
  package let expected: String
  package let remedy: Advice

  /// Returns the error with names of the Swift library, in which "max-objects" is `maxObjects`; `property`
  /// overrides the name if it differs from that rule.
  func error(property: String? = nil) -> FoveaError {
    FoveaError(
      .optionInvalid, "'\(property ?? Advice.Term.property(name))' is \(value); it must be \(expected)",
      remedy: remedy, cause: self)
  }
}

extension Failure where Code == FoveaCode {
  /// The option with an invalid value; nil for any other failure.
  package var option: OptionProblem? { cause as? OptionProblem }
}

/// The ranges of options, which only this type verifies.
package enum OptionChecks {
  package static func range<Value: Comparable & CustomStringConvertible>(
    _ name: String, _ value: Value?, _ range: ClosedRange<Value>, property: String? = nil,
    remedy: Advice? = nil
  ) throws(FoveaError) {
    guard let value, !range.contains(value) else { return }
    let (lower, upper) = (text(range.lowerBound), text(range.upperBound))
    throw OptionProblem(
      name: name, value: value.description, expected: "\(lower)…\(upper)",
      remedy: remedy ?? "Give a number from \(lower) to \(upper)"
    ).error(property: property)
  }

  /// Returns a bound without the decimals of a whole number.
  private static func text(_ bound: some CustomStringConvertible) -> String {
    let text = bound.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  static func atLeastOne(_ name: String, _ value: Int?, property: String? = nil) throws(FoveaError) {
    guard let value, value < 1 else { return }
    throw OptionProblem(
      name: name, value: String(value), expected: "1 or more", remedy: "Use 1 or more, or remove the option"
    ).error(property: property)
  }

  static func sessions(_ sessions: Int, threads: Int?) throws(FoveaError) {
    try range("sessions", sessions, 1...1024, remedy: "Use 1 to 1024, about one per core")
    try range("threads", threads, 1...256, remedy: "Use 1 to 256, at most one per core")
  }
}
