// SPDX-License-Identifier: Apache-2.0

// Re-exports the types that this module's API accepts and returns.
@_exported public import Fovea
public import FoveaCore

/// The error codes of comparisons and quantisation.
extension FoveaCode {
  /// The compared models have different tasks: one detects, the other labels.
  ///
  /// **Remedy:** compare two models of one task.
  public static let tasksDiffer = Self(rawValue: "tasks-differ")
  /// The compared models do not have the same classes.
  ///
  /// **Remedy:** compare models of the same classes, or give a label file that names them alike.
  public static let labelsDiffer = Self(rawValue: "labels-differ")
  /// A model agrees less with another than asked for, or loses too much accuracy; the message has both
  /// figures.
  ///
  /// **Remedy:** use another model, or ask for less.
  public static let agreementTooLow = Self(rawValue: "agreement-too-low")
  /// No photo can be used to choose the ranges of numbers, or none shows anything that can be compared.
  ///
  /// **Remedy:** give photos like those that the model will see.
  public static let calibrationEmpty = Self(rawValue: "calibration-empty")
}

extension FoveaError {
  /// Returns the error of two models with different tasks.
  static func tasksDiffer(_ first: ComparedModel, _ second: ComparedModel) -> FoveaError {
    FoveaError(
      .tasksDiffer,
      "'\(first.name.printable)' \(first.task.verb), but '\(second.name.printable)' \(second.task.verb)",
      remedy: "Compare two models of one task; \(term: .inspect) shows what a model is for")
  }

  /// Returns the error of two models whose classes differ.
  static func labelsDiffer(_ message: String) -> FoveaError {
    FoveaError(
      .labelsDiffer, message,
      remedy: "Compare models of the same classes; if only their names differ, give one label file for both "
        + "(\(option: "labels", "FILE"))")
  }

  /// Returns the error of two models whose classes have different names.
  /// - Parameters:
  ///   - missing: The first model's names that the second lacks.
  ///   - extra: The second model's names that the first lacks.
  /// - Returns: The error.
  static func labelsDiffer(missing: [String], extra: [String]) -> FoveaError {
    func list(_ names: [String], _ model: String) -> String? {
      guard !names.isEmpty else { return nil }
      let shown = names.prefix(3).map { "'\($0.printable)'" }.joined(separator: ", ")
      let more = names.count > 3 ? " and \(names.count - 3) more" : ""
      return "only the \(model) has \(shown)\(more)"
    }
    let parts = [list(missing, "first"), list(extra, "second")].compactMap(\.self)
    return labelsDiffer("The models have different classes: " + parts.joined(separator: ", "))
  }
}
