// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// Values by their texts: one of a fixed set, for options that only `--help-hidden` shows and those of the same
/// names elsewhere; a family; a normalisation.
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

  /// The family of that name.
  static func family(_ argument: String) throws -> DetectorFamily {
    guard let family = DetectorFamily(name: argument) else {
      throw ValidationError("The families are \(DetectorFamily.all.map(\.name).joined(separator: ", ")).")
    }
    return family
  }

  /// `MEAN,STD`, or three means and three deviations.
  static func normalization(_ argument: String) throws -> Normalization {
    guard let normalization = OptionValue.text(argument).normalization else {
      throw ValidationError(
        """
        Give a mean and a deviation, or three of each: 0,255 for pixels 0…1; 127.5,127.5 for −1…1; 0,1 for 0…255. \
        Deviations are above 0.
        """)
    }
    return normalization
  }
}
