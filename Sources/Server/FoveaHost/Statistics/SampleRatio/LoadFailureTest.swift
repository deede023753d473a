// SPDX-License-Identifier: Apache-2.0

/// Whether a rollout is to be halted: its version fails to load more often than the version that the others have.
///
/// Where both fail equally often, each has as many of the failed loads as it has of the loads, which the sample-ratio test with a
/// wide alternative tests. Devices report the first load of a version alone, so the old version's loads are those of its whole
/// history, scaled down to the part that it would have in a fleet under this rollout. Without any, a version is halted where most
/// of its loads fail.
package struct LoadFailureTest: Sendable, Equatable {
  /// Reports of a version.
  package struct Loads: Sendable, Equatable {
    package var all: Int
    package var failed: Int
  }

  /// The level below which a rollout is halted.
  package static let level = 0.01

  /// The level of the test, from 0 to 1.
  package let p: Double
  /// Whether the rollout is to be halted.
  package let isAlarm: Bool

  /// - Parameters:
  ///   - old: Reports of the version that the others have, of its whole history.
  ///   - new: Reports of the rollout's version since the rollout began.
  ///   - share: The rollout's share of the devices; 0 and what is no share counts nothing.
  package init(old: Loads, new: Loads, share: Double) {
    guard share > 0, share <= 1, new.all > 0, new.failed > 0 else {
      (p, isAlarm) = (1, false)
      return
    }
    var test = SampleRatioTest(concentration: 2)
    guard old.all > 0 else {
      test.add([new.all - new.failed, new.failed], weights: [1, 1])
      p = test.p
      isAlarm = test.p < Self.level && 2 * new.failed > new.all
      return
    }
    let part = max(share, Double(new.all) / (Double(old.all) + Double(new.all)))
    guard part < 1 else {
      (p, isAlarm) = (1, false)
      return
    }
    let counted = Double(new.all) * (1 - part) / part
    let failed = Int((Double(old.failed) * min(1, counted / Double(old.all))).rounded())
    test.add([failed, new.failed], weights: [1 - part, part])
    p = test.p
    isAlarm = test.p < Self.level && Double(new.failed) > part * Double(failed + new.failed)
  }
}
