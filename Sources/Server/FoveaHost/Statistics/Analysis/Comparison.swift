// SPDX-License-Identifier: Apache-2.0

/// A comparison of one variant with the control, over all looks.
package struct Comparison: Sendable, Equatable {
  /// The number of the arm; the control is 0.
  package let variant: Int
  /// The variant's mean minus the control's at the last look; nil if that look does not count.
  package private(set) var difference: Double?
  /// The interval at the last look; nil with ``difference``.
  package private(set) var low: Double?
  package private(set) var high: Double?
  /// The smallest level of all looks that count; 1 before the first.
  package private(set) var p = 1.0
  /// `p` after Holm's correction over all comparisons.
  package internal(set) var adjusted = 1.0
  package internal(set) var verdict = Verdict.open
  /// The sign of the difference at the look with the smallest level.
  private(set) var sign = 0

  /// Whether the last look counts: enough units in both arms, and values that differ.
  package var isEnough: Bool { difference != nil }

  /// Compares an arm with the first.
  /// - Parameters:
  ///   - counts: Checked counts.
  ///   - variant: The number of the arm, from 1 on.
  init(of counts: MetricCounts, variant: Int) {
    self.variant = variant
    let weights = counts.weights
    let share = (weights[0] + weights[variant]) / weights.reduce(0, +)
    let sequence = ConfidenceSequence(alpha: counts.alpha, planned: counts.planned * share / 2)
    var (control, arm) = (ArmSums(), ArmSums())
    for look in counts.looks {
      control += look.arms[0]
      arm += look.arms[variant]
      take(control, arm, counts.kind, sequence)
    }
  }

  private mutating func take(
    _ control: ArmSums, _ arm: ArmSums, _ kind: MetricKind, _ sequence: ConfidenceSequence
  ) {
    (difference, low, high) = (nil, nil, nil)
    guard let found = MeanDifference(control, arm, kind) else { return }
    let half = sequence.halfWidth(units: found.units, variance: found.variance)
    let level = found.level(sequence)
    if level < p {
      p = level
      sign = found.difference > 0 ? 1 : found.difference < 0 ? -1 : 0
    }
    (difference, low, high) = (found.difference, found.difference - half, found.difference + half)
  }
}
