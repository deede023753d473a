// SPDX-License-Identifier: Apache-2.0

package import Fovea

/// Why a model cannot be used under Google's names, in the Task Library's words and with its number.
package struct ModelRefusal: Sendable {
  /// The rule that is broken; nil where the model cannot be loaded at all.
  package let rule: CompatibilityRule?
  /// The Task Library's number; nil for failures that are not the model's.
  package let status: SupportStatus?
  /// What happened, without a final stop: the Task Library's words where it has some, then what the model has.
  package let message: String
  /// What to do next, without a final stop.
  package let remedy: Advice
  /// What loading the model failed with; nil where a rule is broken.
  package let cause: FoveaError?

  /// The first reason not to use a model.
  ///
  /// Detectors, int8 tensors, and float models whose normalisation the caller gives, are not refused, though ML Kit
  /// would.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - labelFile: A label file in place of the model's own.
  ///   - normalization: The normalisation that the caller gives as an option.
  /// - Returns: nil for a model that can be used.
  package static func first(
    in source: ModelSource, labelFile: String? = nil, normalization: Normalization? = nil
  ) -> ModelRefusal? {
    let report: CompatibilityReport
    do throws(FoveaError) {
      report = try CompatibilityReport(of: source, labelFile: labelFile, normalization: normalization)
    } catch {
      return ModelRefusal(
        rule: nil, status: SupportStatus(error),
        message: error.subject.map { "\($0): \(error.message)" }
          ?? error.message, remedy: error.remedy, cause: error)
    }
    return ModelRefusal(report)
  }

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
    self.init(
      rule: rule, status: rule.status,
      message: words.map { "\($0) '\(report.name)': \(rule.finding)" } ?? "'\(report.name)': \(rule.finding)",
      remedy: rule.remedy ?? "\(command: "model check", "CompatibilityReport") shows every rule", cause: nil)
  }

  private init(
    rule: CompatibilityRule?, status: SupportStatus?, message: String, remedy: Advice, cause: FoveaError?
  ) {
    self.rule = rule
    self.status = status
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }
}
