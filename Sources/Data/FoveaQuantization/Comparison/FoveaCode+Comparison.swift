// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore

/// The error codes of comparisons.
extension FoveaCode {
  /// The compared models have different tasks: one detects, the other labels.
  ///
  /// **Remedy:** compare two models of one task.
  package static let tasksDiffer = Self(rawValue: "tasks-differ")
  /// The compared models do not have the same classes.
  ///
  /// **Remedy:** compare models of the same classes, or give a label file that names them alike.
  package static let labelsDiffer = Self(rawValue: "labels-differ")
  /// A model agrees less with another than asked for, or loses too much accuracy; the message has both
  /// figures.
  ///
  /// **Remedy:** use another model, or ask for less.
  package static let agreementTooLow = Self(rawValue: "agreement-too-low")
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
