// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

extension CompatibilityReport {
  /// Returns the report as readable text; `words` renders remedies for its readers.
  package func text(_ words: (Advice) -> String) -> String {
    var text = name.printable + "\n"
    for rule in rules { text += rule.text(isRefused: family == nil, words) }
    func count(_ verdict: CompatibilityRule.Verdict) -> Int { rules.count { $0.verdict == verdict } }
    let counts = CompatibilityRule.Verdict.allCases.map { "\(count($0)) \($0.words)" }.joined(separator: ", ")
    text += WrappedText.lines(
      "\(family ?? "not recognised"): \(counts). \(conclusion(words))", first: "  ", indent: 2)
    return text
  }

  /// Whether only a normalisation, which Fovea's own functions assume, is missing for Google's libraries.
  private var assumesNormalization: Bool {
    family != nil && rules.allSatisfy { $0.verdict != .failed || ["7", "15"].contains($0.number) }
  }

  /// Returns the sentence on whether ML Kit, MediaPipe and Fovea accept the model.
  func conclusion(_ words: (Advice) -> String) -> String {
    if let refusal {
      let verdict =
        isAcceptedByGoogle
        ? "ML Kit's rules allow the model, but Fovea refuses it"
        : "ML Kit refuses the model, and Fovea cannot detect or label with it"
      return
        "\(verdict). \(refusal.message.printable.sentence) \(words(refusal.remedy).printable.sentence)"
    }
    if isAcceptedByGoogle { return "ML Kit accepts the model, and so does Fovea." }
    guard isAcceptedByFovea else {
      let verdict =
        family == nil
        ? "ML Kit refuses the model, and Fovea cannot detect or label with it"
        : "ML Kit refuses the model, and so does Fovea under ML Kit's names"
      guard assumesNormalization else { return "\(verdict)." }
      let own: Advice =
        isDetector ? "\(command: "detect", "ObjectDetector")" : "\(command: "label", "ImageLabeler")"
      return "\(verdict); \(words(own)) accepts it and assumes its normalisation."
    }
    let takesTask = isDetector && broken.allSatisfy { ["9", "16"].contains($0.number) }
    return "ML Kit refuses the model\(takesTask ? ", MediaPipe accepts it" : ""); Fovea accepts it."
  }
}

extension CompatibilityRule.Verdict {
  /// The verdict in a list of counts.
  fileprivate var words: String {
    switch self {
    case .passed, .failed: rawValue
    case .differs: "differ"
    case .notApplicable: "not applicable"
    }
  }
  /// The verdict in front of a rule.
  fileprivate var word: String { self == .notApplicable ? "–" : rawValue }
}

extension CompatibilityRule {
  private static let indent = 15

  fileprivate func text(isRefused: Bool, _ words: (Advice) -> String) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    let head = "  \(padded(number, 3))  \(padded(verdict.word, 8))"
    guard verdict == .failed || verdict == .differs else {
      return WrappedText.lines("\(title) — \(finding.printable)", first: head, indent: Self.indent)
    }
    var text = WrappedText.lines(title, first: head, indent: Self.indent)
    func add(_ name: String, _ value: String) {
      let first = String(repeating: " ", count: Self.indent) + padded(name, 8)
      text += WrappedText.lines(value, first: first, indent: Self.indent + 8)
    }
    add("found", finding.printable)
    if status != nil || statusText != nil {
      add(
        "Google",
        [status.map { "\($0.rawValue)" }, statusText?.printable].compactMap(\.self).joined(separator: ": "))
    }
    let refuses = isRefused ? "cannot detect or label with it" : "refuses it under ML Kit's names"
    add("Fovea", verdict == .differs ? "accepts it anyway" : refuses)
    if let remedy { add("fix", words(remedy).printable) }
    return text
  }
}
