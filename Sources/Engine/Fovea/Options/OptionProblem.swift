// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// A value that an option cannot have: the cause of an error that names the option as the Swift library does.
///
/// A front end puts words of its own around the name and the value.
package struct OptionProblem: Error, Hashable {
  /// The name of the option, as `NamedOption.name`: "max-objects".
  package let name: String
  /// The value as text.
  package var value: String
  /// The values that it may have: "0…1", "1 or more", "a whole number".
  package let expected: String
  package let remedy: Advice

  /// The error in the words of the Swift library, where "max-objects" is `maxObjects`; `property` names what is
  /// not called by that rule.
  func error(property: String? = nil) -> FoveaError {
    FoveaError(
      .optionInvalid, "'\(property ?? Advice.Term.property(name))' is \(value); it must be \(expected)",
      remedy: remedy, cause: self)
  }
}

extension Failure where Code == FoveaCode {
  /// The option that has a value which it cannot have; nil for any other failure.
  package var option: OptionProblem? { cause as? OptionProblem }
}

/// The ranges of options, which are checked here alone.
enum OptionChecks {
  static func range<Value: Comparable & CustomStringConvertible>(
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

  /// A bound without the decimals of a whole number.
  private static func text(_ bound: some CustomStringConvertible) -> String {
    let text = bound.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  static func atLeastOne(_ name: String, _ value: Int?, property: String? = nil) throws(FoveaError) {
    guard let value, value < 1 else { return }
    throw OptionProblem(
      name: name, value: String(value), expected: "1 or more", remedy: "Give 1 or more, or leave it out"
    ).error(property: property)
  }

  static func sessions(_ sessions: Int, threads: Int?) throws(FoveaError) {
    try range("sessions", sessions, 1...1024, remedy: "Give about one for each core")
    try range("threads", threads, 1...256, remedy: "Give at most one for each core")
  }
}
