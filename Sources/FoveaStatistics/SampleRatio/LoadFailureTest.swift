// SPDX-License-Identifier: Apache-2.0

/// Whether a rollout is to be halted: its version fails to load more often than its share of the devices explains.
///
/// Failed loads of the new version and of the old one are counts whose shares are the rollout's, where both fail equally often.
/// It is the sample-ratio test with a wide alternative.
package struct LoadFailureTest: Sendable, Equatable {
  private var test = SampleRatioTest(concentration: 2)
  private var failures = [0, 0]
  private var expected = 0.0

  /// The level below which a rollout is halted.
  package static let level = 0.01

  package init() {}

  /// Takes new reports.
  /// - Parameters:
  ///   - old: Failed loads of the version that the others have.
  ///   - new: Failed loads of the rollout's version.
  ///   - share: The rollout's share of the devices, above 0 and below 1.
  package mutating func add(old: Int, new: Int, share: Double) {
    guard share > 0, share < 1, old >= 0, new >= 0 else { return }
    test.add([old, new], weights: [1 - share, share])
    failures[0] += old
    failures[1] += new
    expected += Double(old + new) * share
  }

  package var p: Double { test.p }

  /// Whether the rollout is to be halted.
  package var isAlarm: Bool { test.p < Self.level && Double(failures[1]) > expected }
}
