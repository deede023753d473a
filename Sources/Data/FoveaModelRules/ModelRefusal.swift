// SPDX-License-Identifier: Apache-2.0

import Fovea

/// Why a model cannot be used under Google's names, in the Task Library's words.
package struct ModelRefusal: Sendable {
  /// The rule that is broken.
  package let rule: CompatibilityRule
  /// What happened, without a final stop: the Task Library's words where it has some, then what the model has.
  package let message: String
  /// What to do next, without a final stop.
  package let remedy: Advice

  /// The first rule for which a model cannot be used.
  /// - Parameters:
  ///   - report: How the model keeps the rules; nil comes out where it can be used.
  ///   - asClassifier: Whether a detector is refused too, for its outputs.
  package init?(_ report: CompatibilityReport, asClassifier: Bool = false) {
    let rule = report.rulesAlone.first { rule in
      rule.verdict == .failed
        || asClassifier && rule.verdict == .differs && rule.status == .invalidOutputDimensions
    }
    guard let rule else { return nil }
    // The Task Library's words end with a stop of their own.
    let words = rule.statusText.map { $0.hasSuffix(".") ? $0 : $0 + "." }
    self.rule = rule
    message = words.map { "\($0) '\(report.name)': \(rule.finding)" } ?? "'\(report.name)': \(rule.finding)"
    remedy = rule.remedy ?? "\(command: "model check", "CompatibilityReport") shows every rule"
  }
}
