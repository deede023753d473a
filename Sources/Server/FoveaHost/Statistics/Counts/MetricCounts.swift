// SPDX-License-Identifier: Apache-2.0

/// The counts of one metric of an experiment, look by look.
package struct MetricCounts: Sendable, Equatable {
  /// The units between the previous look and this one, the control first.
  package struct Look: Sendable, Equatable {
    package var arms: [ArmSums]
    /// The weights by which these units were assigned; nil for those of the previous look.
    package var weights: [Double]?

    package init(arms: [ArmSums], weights: [Double]? = nil) {
      self.arms = arms
      self.weights = weights
    }
  }

  /// The allowed rate of false findings, over all looks together; 0.05 by default.
  package var alpha = 0.05
  /// The planned number of units of all arms: the interval is narrowest there.
  package var planned: Double
  package var kind: MetricKind
  /// One for each arm, the control first; they need not add up to 1.
  package var weights: [Double]
  package var looks: [Look]

  package init(alpha: Double = 0.05, planned: Double, kind: MetricKind, weights: [Double], looks: [Look]) {
    self.alpha = alpha
    self.planned = planned
    self.kind = kind
    self.weights = weights
    self.looks = looks
  }

  /// The maximum number of arms of an experiment.
  package static let mostArms = 100

  /// The sums of each arm over all looks.
  package var totals: [ArmSums] {
    looks.reduce(into: Array(repeating: ArmSums(), count: weights.count)) { totals, look in
      for (arm, sums) in look.arms.enumerated() where arm < totals.count { totals[arm] += sums }
    }
  }

  /// - Throws: `invalid` with the path of an impossible member.
  package func check() throws(StatisticsError) {
    guard alpha > 0, alpha <= 0.5 else { throw .invalid("alpha", "is \(alpha), not above 0 and at most 0.5") }
    guard planned.isFinite, planned >= 1, planned <= 1e15 else {
      throw .invalid("planned", "is \(planned), not a number of units from 1 to 10^15")
    }
    guard (2...Self.mostArms).contains(weights.count) else {
      throw .invalid("weights", "has \(weights.count) arms, not 2 to \(Self.mostArms)")
    }
    try Self.check(weights) { "weights[\($0)]" }
    for (number, look) in looks.enumerated() {
      guard look.arms.count == weights.count else {
        throw .invalid("looks[\(number)].units", "has \(look.arms.count) arms, not \(weights.count)")
      }
      if let other = look.weights {
        guard other.count == weights.count else {
          throw .invalid("looks[\(number)].weights", "has \(other.count) arms, not \(weights.count)")
        }
        try Self.check(other) { "looks[\(number)].weights[\($0)]" }
      }
      for (arm, sums) in look.arms.enumerated() {
        try sums.check(kind) { "looks[\(number)].\($0)[\(arm)]" }
      }
    }
  }

  private static func check(_ weights: [Double], _ path: (Int) -> String) throws(StatisticsError) {
    for (arm, weight) in weights.enumerated() where !(weight > 0 && weight <= 1e9) {
      throw .invalid(path(arm), "is \(weight), not above 0 and at most 10^9")
    }
  }
}

/// The quantity that a metric counts for each unit.
package enum MetricKind: String, Sendable, Codable, CaseIterable {
  /// Whether the unit converted: 0 or 1.
  case conversion
  /// A number, such as the sum of a unit's values.
  case mean
}
