// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The advice about a classifier that labels the crops of a detector.
///
/// Some of the caller's options belong to the detector. Advice about the classifier that names such an option
/// could not be followed, so it names a change of the classifier's file instead.
struct CropAdvice: Sendable {
  /// The options that belong to the detector.
  var withheld: Set<String> = []

  /// Returns the advice without the options that belong to the detector.
  func callAsFunction(_ advice: Advice) -> Advice {
    guard !withheld.isEmpty else { return advice }
    return advice.replacing { term in
      guard case .option(let name, let value) = term, withheld.contains(name) else { return nil }
      return switch name {
      case "labels": "\(term: .addMetadata("FILE --labels LABELS --output NEW"))"
      case "normalize": "\(term: .addMetadata("FILE --normalize MEAN,STD --output NEW"))"
      case "activation": "\(Advice.Term.graphEnd(value))"
      default: nil
      }
    }
  }

  /// Returns the advice to give a label file, with the command that writes it if the caller's labels belong
  /// to the detector.
  func withLabels(_ advice: Advice) -> Advice {
    withheld.contains("labels")
      ? "\(advice): \(term: .addMetadata("FILE --labels LABELS --output NEW"))" : advice
  }

  /// Calls `body`, and throws its errors with this advice.
  func run<Result>(_ body: () throws -> Result) throws(FoveaError) -> Result {
    do { return try body() } catch {
      var error = FoveaError(error)
      error.remedy = self(error.remedy)
      throw error
    }
  }
}
