// SPDX-License-Identifier: Apache-2.0
#if Server
/// A condition of a server's template, which the Admin SDKs evaluate.
///
/// **Source:** the evaluators of the Firebase Admin SDKs for Python and Node.
package indirect enum ServerCondition: Sendable, Hashable {
  case any([ServerCondition])
  case all([ServerCondition])
  case constant(Bool)
  case percent(PercentTest)
  case signal(SignalTest)

  /// The maximum depth; the SDKs treat deeper conditions as false, so they are refused here.
  package static let deepest = 10
}

/// A comparison of a custom signal.
package struct SignalTest: Sendable, Hashable {
  /// The maximum number of values that a signal is compared with.
  package static let mostTargets = 100

  package enum Kind: Sendable, Hashable {
    case contains, containsNone, isOne, matches
    case number(ComparisonOperator)
    case version(ComparisonOperator)
  }

  package let key: String
  package let kind: Kind
  package let targets: [String]

  package init(key: String, kind: Kind, targets: [String]) throws(PatternFailure) {
    self.key = key
    self.kind = kind
    self.targets = targets
    if kind == .matches { for target in targets { _ = try PatternProgram(target) } }
  }
}
#endif
