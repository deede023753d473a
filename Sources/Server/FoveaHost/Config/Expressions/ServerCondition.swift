// SPDX-License-Identifier: Apache-2.0
#if Server
/// A condition of a server's template, as the Admin SDKs evaluate it.
///
/// **Source:** the evaluators of the Firebase Admin SDKs for Python and Node.
package indirect enum ServerCondition: Sendable, Hashable {
  case any([ServerCondition])
  case all([ServerCondition])
  case constant(Bool)
  case percent(PercentTest)
  case signal(SignalTest)

  /// Deeper conditions are false for the SDKs, and refused here.
  package static let deepest = 10

  /// Whether the condition is true for a caller that has given those signals.
  ///
  /// Shares are drawn by `id`; for a caller without one none counts.
  package func holds(id: String?, signals: [String: String]) -> Bool {
    holds(id: id, signals: signals, depth: 0)
  }

  private func holds(id: String?, signals: [String: String], depth: Int) -> Bool {
    guard depth < ServerCondition.deepest else { return false }
    switch self {
    case .any(let conditions):
      return conditions.contains { $0.holds(id: id, signals: signals, depth: depth + 1) }
    case .all(let conditions):
      return conditions.allSatisfy { $0.holds(id: id, signals: signals, depth: depth + 1) }
    case .constant(let value): return value
    case .percent(let test): return test.holds(id ?? "")
    case .signal(let test): return signals[test.key].map { test.holds($0) } ?? false
    }
  }
}

/// A comparison of a custom signal.
package struct SignalTest: Sendable, Hashable {
  /// The most values that a signal is compared with.
  package static let mostTargets = 100

  package enum Kind: Sendable, Hashable {
    case contains, containsNone, isOne, matches
    case number(ComparisonOperator)
    case version(ComparisonOperator)
  }

  package let key: String
  package let kind: Kind
  package let targets: [String]
  let patterns: [PatternProgram]

  package init(key: String, kind: Kind, targets: [String]) throws(PatternFailure) {
    self.key = key
    self.kind = kind
    self.targets = targets
    var patterns: [PatternProgram] = []
    if kind == .matches { for target in targets { patterns.append(try PatternProgram(target)) } }
    self.patterns = patterns
  }

  /// Whether a signal's value is such.
  package func holds(_ value: String) -> Bool {
    switch kind {
    case .contains: TextTest.contains(targets).holds(value)
    case .containsNone: TextTest.containsNone(targets).holds(value)
    case .isOne: targets.contains { SignalTest.trimmed($0) == SignalTest.trimmed(value) }
    case .matches: TextTest.matches(patterns).holds(value)
    case .number(let comparison):
      targets.first.flatMap { target in
        guard let first = ConfigTerm.number(SignalTest.trimmed(value)),
          let second = ConfigTerm.number(SignalTest.trimmed(target))
        else { return nil }
        return comparison.holds(first < second ? -1 : first > second ? 1 : 0)
      } ?? false
    case .version(let comparison):
      targets.first.flatMap { target in
        guard let first = VersionText(SignalTest.trimmed(value)),
          let second = VersionText(SignalTest.trimmed(target))
        else { return nil }
        return comparison.holds(first.order(to: second))
      } ?? false
    }
  }

  private static func trimmed(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    return String(scalars)
  }
}
#endif
