// SPDX-License-Identifier: Apache-2.0

import Fovea

/// The reason why a model cannot be used under Google's names, in the Task Library's words.
package struct ModelRefusal: Sendable {
  /// The broken rule.
  package let rule: CompatibilityRule
  /// The reason, without a final stop: the Task Library's message if known, then the fact about the model.
  package let message: String
  /// The remedy, without a final stop.
  package let remedy: Advice

  /// Creates the refusal for the first broken rule; nil if the model can be used.
  /// - Parameters:
  ///   - report: The model's report.
  ///   - asClassifier: Whether detectors are also refused, because of their outputs.
  package init?(_ report: CompatibilityReport, asClassifier: Bool = false) {
    let rule = report.rulesAlone.first { rule in
      rule.verdict == .failed
        || asClassifier && rule.verdict == .differs && rule.status == .invalidOutputDimensions
    }
    guard let rule else { return nil }
    // The Task Library's messages end with a stop of their own.
    let words = rule.statusText.map { $0.hasSuffix(".") ? $0 : $0 + "." }
    self.rule = rule
    message = words.map { "\($0) '\(report.name)': \(rule.finding)" } ?? "'\(report.name)': \(rule.finding)"
    remedy = rule.remedy ?? "\(command: "model check", "CompatibilityReport") shows every rule"
  }
}
