// SPDX-License-Identifier: Apache-2.0

public import FoveaCore

/// A rule of Google's libraries for models, with the verdict for a model.
public struct CompatibilityRule: Sendable, Hashable {
  /// The verdict on a model.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The model follows the rule.
    case passed
    /// The model breaks the rule: Google's libraries refuse it, and so does Fovea under Google's names.
    case failed
    /// The model breaks the rule: Google's libraries refuse it, but Fovea accepts it.
    case differs
    /// The rule does not concern this model.
    case notApplicable = "not-applicable"
  }

  /// The rule's number: "1" to "17" for all models, "D1" to "D7" for detectors.
  public let number: String
  /// The rule as a sentence without a final stop.
  public let title: String
  /// The verdict on the model.
  public let verdict: Verdict
  /// The fact about the model, with the expected one if it differs; without a final stop.
  public let finding: String
  /// The number with which the Task Library refuses the model; nil if it does not.
  public let status: SupportStatus?
  /// The Task Library's own message; nil if it does not refuse the model, or its message is unknown.
  public let statusText: String?
  /// The fix for a broken rule, without a final stop; nil if the model follows the rule.
  public let remedy: Advice?
}

extension CompatibilityRule {
  /// The rule for a model that Fovea refuses for another reason: `differs` becomes `failed`.
  var ofRefused: CompatibilityRule {
    guard verdict == .differs else { return self }
    return CompatibilityRule(
      number: number, title: title, verdict: .failed, finding: finding, status: status,
      statusText: statusText, remedy: remedy)
  }
}

/// The number and title of a rule without a verdict.
struct RuleTitle {
  let number: String
  let title: String

  init(_ number: String, _ title: String) {
    self.number = number
    self.title = title
  }

  func passed(_ finding: String) -> CompatibilityRule {
    CompatibilityRule(
      number: number, title: title, verdict: .passed, finding: finding, status: nil, statusText: nil,
      remedy: nil)
  }

  func notApplicable(_ finding: String) -> CompatibilityRule {
    CompatibilityRule(
      number: number, title: title, verdict: .notApplicable, finding: finding, status: nil, statusText: nil,
      remedy: nil)
  }

  /// Returns a broken rule.
  /// - Parameters:
  ///   - accepted: Whether Fovea accepts the model anyway.
  ///   - finding: The property of the model, and the expected value.
  ///   - status: The Task Library's number.
  ///   - text: The Task Library's message.
  ///   - remedy: The fix for the rule.
  /// - Returns: The rule with the verdict `failed` or, if Fovea accepts the model, `differs`.
  func broken(
    accepted: Bool, _ finding: String, _ status: SupportStatus?, _ text: String? = nil, remedy: Advice
  ) -> CompatibilityRule {
    CompatibilityRule(
      number: number, title: title, verdict: accepted ? .differs : .failed, finding: finding, status: status,
      statusText: text, remedy: remedy)
  }
}
