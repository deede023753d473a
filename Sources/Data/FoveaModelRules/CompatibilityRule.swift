// SPDX-License-Identifier: Apache-2.0

public import FoveaCore

/// A rule that Google's libraries have for models, and whether a model keeps it.
public struct CompatibilityRule: Sendable, Hashable {
  /// Whether a model keeps a rule.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The model keeps it.
    case passed
    /// The model breaks it: Google's libraries refuse the model, and so does Fovea under Google's names.
    case failed
    /// The model breaks it: Google's libraries refuse the model, and Fovea takes it anyway.
    case differs
    /// The rule is about something that the model does not have.
    case notApplicable = "not-applicable"
  }

  /// The rule's number: "1" to "17" for all models, "D1" to "D7" for detectors.
  public let number: String
  /// The rule as a sentence without a final stop.
  public let title: String
  /// Whether the model keeps it.
  public let verdict: Verdict
  /// What the model has and, where that is something else, what is expected; without a final stop.
  public let finding: String
  /// The number with which the Task Library refuses the model; nil where it does not.
  public let status: SupportStatus?
  /// The Task Library's own words; nil where it does not refuse the model, or without words that are known.
  public let statusText: String?
  /// How to make the model keep the rule, without a final stop; nil where it does.
  public let remedy: Advice?
}

extension CompatibilityRule {
  /// The rule as it stands for a model that Fovea refuses for another reason: that Fovea does without it changes nothing.
  var ofRefused: CompatibilityRule {
    guard verdict == .differs else { return self }
    return CompatibilityRule(
      number: number, title: title, verdict: .failed, finding: finding, status: status,
      statusText: statusText, remedy: remedy)
  }
}

/// The number and the words of a rule, waiting for a verdict.
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

  /// A broken rule.
  /// - Parameters:
  ///   - accepted: Whether Fovea takes the model anyway.
  ///   - finding: What the model has, and what is expected.
  ///   - status: The Task Library's number.
  ///   - text: The Task Library's words.
  ///   - remedy: How to make the model keep the rule.
  /// - Returns: The rule, failed or, where Fovea takes the model, different.
  func broken(
    accepted: Bool, _ finding: String, _ status: SupportStatus?, _ text: String? = nil, remedy: Advice
  ) -> CompatibilityRule {
    CompatibilityRule(
      number: number, title: title, verdict: accepted ? .differs : .failed, finding: finding, status: status,
      statusText: text, remedy: remedy)
  }
}
