// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaMetadata
import FoveaRuntime

extension RuleFacts {
  /// Rule 7.
  var normalization: CompatibilityRule {
    let rule = RuleTitle("7", "A float32 input has NormalizationOptions in its metadata")
    guard let input = signature.inputs.first, input.elementType == .float32 else {
      return rule.notApplicable("the input is not float32, so it gets raw pixels")
    }
    if let stated = metadata?.inputs.first?.normalization {
      return rule.passed("(pixel − \(stated.mean)) ÷ \(stated.standardDeviation)")
    }
    let known: String? =
      switch normalizationSource {
      case .option: "the option sets it"
      case .graph: "the start of the graph shows it"
      case .family: "its family defines it"
      default: nil
      }
    return rule.broken(
      accepted: known != nil,
      "the input is float32, but the metadata has no normalisation\(known.map { "; \($0)" } ?? "")",
      .missingNormalization,
      "Input tensor has type kTfLiteFloat32: it requires specifying NormalizationOptions metadata "
        + "to preprocess input images.",
      remedy: !hasOwnNormalization
        ? "Write the normalisation it was trained with: "
          + "\(term: .addMetadata("FILE --normalize MEAN,STD --output NEW"))"
        : "Write it into the metadata: \(term: .addMetadata("FILE --output NEW"))")
  }

  /// Rule 8.
  var normalizationValues: CompatibilityRule {
    let rule = RuleTitle("8", "There are as many means as deviations, 1 or 3, and no deviation is 0")
    guard let stated = metadata?.inputs.first?.normalization else {
      return rule.notApplicable("the metadata has no normalisation")
    }
    let counts = [stated.mean.count, stated.standardDeviation.count]
    guard counts == [1, 1] || counts == [3, 3] else {
      return rule.broken(
        accepted: false, "there are \(counts[0]) means and \(counts[1]) deviations, expected 1 or 3 of each",
        .invalidProcessUnits,
        counts[0] == counts[1]
          ? "NormalizationOptions: only 1 or 3 mean and std values are supported, got \(counts[0])."
          : "NormalizationOptions: expected mean and std of same dimension, "
            + "got \(counts[0]) and \(counts[1]).",
        remedy: Self.writeAgain)
    }
    guard stated.standardDeviation.allSatisfy({ $0.isFinite && $0.magnitude > 1e-6 }),
      stated.mean.allSatisfy(\.isFinite)
    else {
      return rule.broken(
        accepted: false,
        "(pixel − \(stated.mean)) ÷ \(stated.standardDeviation), "
          + "expected finite numbers and no division by 0",
        .invalidProcessUnits,
        remedy: Self.writeAgain)
    }
    return rule.passed("\(counts[0]) of each")
  }

  private static let writeAgain: Advice =
    "Write the normalisation again: \(term: .addMetadata("FILE --normalize MEAN,STD --output NEW"))"
}
