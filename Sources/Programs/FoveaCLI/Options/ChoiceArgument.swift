// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// One of a fixed set of values, for options that only `--help-hidden` shows, and those of the same names elsewhere.
///
/// ArgumentParser lists the values after a wrong one only for options that `--help` shows.
enum ChoiceArgument {
  /// The value of that name.
  /// - Throws: `ValidationError` with all names.
  static func value<Value: RawRepresentable<String> & CaseIterable>(_ argument: String) throws -> Value {
    guard let value = Value(rawValue: argument) else {
      let names = Value.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw ValidationError("Please provide one of \(names).")
    }
    return value
  }
}
