// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// Parsers of option values: names from a fixed set (for hidden options and their visible namesakes),
/// families and normalisations.
///
/// After a wrong value, ArgumentParser lists the allowed ones only for options that `--help` shows.
enum ChoiceArgument {
  /// Returns the value with this name.
  /// - Throws: `ValidationError` that lists all names.
  static func value<Value: RawRepresentable<String> & CaseIterable>(_ argument: String) throws -> Value {
    guard let value = Value(rawValue: argument) else {
      let names = Value.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw ValidationError("Please provide one of \(names).")
    }
    return value
  }

  /// Returns the family with this name.
  static func family(_ argument: String) throws -> DetectorFamily {
    guard let family = DetectorFamily(name: argument) else {
      throw ValidationError("The families are \(DetectorFamily.all.map(\.name).joined(separator: ", ")).")
    }
    return family
  }

  /// Returns the family of maps with this name.
  static func mapFamily(_ argument: String) throws -> MapFamily {
    guard let family = MapFamily(name: argument) else {
      throw ValidationError("The families are \(MapFamily.all.map(\.name).joined(separator: ", ")).")
    }
    return family
  }

  /// Returns the layer of a graph with this name: `pool`, `last`, or a tensor.
  static func layer(_ argument: String) throws -> ImageEmbedder.Options.Layer {
    switch argument {
    case "": throw ValidationError("Give pool, last, or the name of a tensor.")
    case "pool": .pool
    case "last": .last
    default: .tensor(argument)
    }
  }

  /// Parses `MEAN,STD`, or three means and three deviations.
  static func normalization(_ argument: String) throws -> Normalization {
    guard let normalization = OptionValue.text(argument).normalization else {
      throw ValidationError(
        """
        Give a mean and a deviation, or three of each: 0,255 for pixels 0…1; 127.5,127.5 for −1…1; \
        0,1 for 0…255. Deviations are above 0.
        """)
    }
    return normalization
  }
}
