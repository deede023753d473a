// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The advice about a classifier that labels the crops of a detector, or about a file for a model host.
///
/// Some of the caller's options belong to the detector, and a host has none of them. Advice about the model
/// that names such an option could not be followed, so it names a change of the model's file instead.
package struct CropAdvice: Sendable {
  /// The options that the reader cannot give for the model.
  var withheld: Set<String> = []

  /// The advice about a file that is published on a model host, which has no options for models.
  package static let published = CropAdvice(
    withheld: ["labels", "normalize", "activation", "background", "family"])

  /// Returns the advice without the options that the reader cannot give.
  package func callAsFunction(_ advice: Advice) -> Advice {
    guard !withheld.isEmpty else { return advice }
    var hasReading = false
    let other = advice.replacing { term in
      guard case .option(let name, let value) = term, withheld.contains(name) else { return nil }
      switch name {
      case "labels": return "\(term: .addMetadata("FILE --labels LABELS --output NEW"))"
      case "normalize": return "\(term: .addMetadata("FILE --normalize MEAN,STD --output NEW"))"
      case "activation": return "\(Advice.Term.graphEnd(value))"
      case "background", "family":
        hasReading = true
        return "\(call: "model inspect FILE --\(name) \(value ?? "NAME")", "ModelInspection")"
      default: return nil
      }
    }
    return hasReading
      ? "\(other). A host has no such option: publish a file that is read without it" : other
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
