// SPDX-License-Identifier: Apache-2.0

/// Decides whether to halt a rollout whose version fails to load more often than the stable version.
///
/// If both fail equally often, each has the same part of the failed loads as of all loads, which the
/// sample-ratio test checks with a wide alternative. Devices report only the first load of a version, so the
/// old version's loads are taken from its whole history, scaled down to its share of the fleet during this
/// rollout. With few of them, a rollout is also halted if most of its version's loads fail.
package struct LoadFailureTest: Sendable, Equatable {
  /// The reports of a version.
  package struct Loads: Sendable, Equatable {
    package var all: Int
    package var failed: Int
  }

  /// The level below which a rollout is halted.
  package static let level = 0.01
  /// The number of loads of the stable version below which a majority of failed loads is enough.
  static let stableLoads = 20

  /// The level of the test, from 0 to 1.
  package let p: Double
  /// Whether the rollout is to be halted.
  package let isAlarm: Bool

  /// - Parameters:
  ///   - old: The reports of the stable version, of its whole history.
  ///   - new: The reports of the rollout's version since the rollout started.
  ///   - share: The rollout's share of the devices, above 0 and at most 1; other values never raise an alarm.
  package init(old: Loads, new: Loads, share: Double) {
    guard share > 0, share <= 1, new.all > 0, new.failed > 0 else {
      (p, isAlarm) = (1, false)
      return
    }
    let compared = Self.compared(old, new, share: share)
    guard old.all < Self.stableLoads else {
      (p, isAlarm) = compared
      return
    }
    let alone = Self.alone(new)
    (p, isAlarm) = (min(compared.p, alone.p), compared.isAlarm || alone.isAlarm)
  }

  /// Returns whether most loads fail.
  private static func alone(_ new: Loads) -> (p: Double, isAlarm: Bool) {
    var test = SampleRatioTest(concentration: 2)
    test.add([new.all - new.failed, new.failed], weights: [1, 1])
    return (test.p, test.p < level && 2 * new.failed > new.all)
  }

  /// Returns whether more loads fail than of the stable version.
  private static func compared(_ old: Loads, _ new: Loads, share: Double) -> (p: Double, isAlarm: Bool) {
    let part = max(share, Double(new.all) / (Double(old.all) + Double(new.all)))
    guard part < 1 else { return (1, false) }
    let counted = Double(new.all) * (1 - part) / part
    let failed = Int((Double(old.failed) * min(1, counted / Double(old.all))).rounded())
    var test = SampleRatioTest(concentration: 2)
    test.add([failed, new.failed], weights: [1 - part, part])
    return (test.p, test.p < level && Double(new.failed) > part * Double(failed + new.failed))
  }
}
