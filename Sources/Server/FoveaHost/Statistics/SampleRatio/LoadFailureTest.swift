// SPDX-License-Identifier: Apache-2.0

/// Decides whether to halt a rollout whose version fails to load more often than the stable version.
///
/// If both fail equally often, each has the same part of the failed loads as of all loads, which the
/// sample-ratio test checks with a wide alternative. Devices report only the first load of a version, so the
/// old version's loads are taken from its whole history, scaled down to its share of the fleet during this
/// rollout.
///
/// A few loads of the stable version show nothing, and a rollout to all devices leaves none to compare with.
/// So a rollout is also halted if most of its version's loads fail, unless most loads of the stable version
/// are known to fail, too. More successful loads of the stable version never delay a halt.
package struct LoadFailureTest: Sendable, Equatable {
  /// The reports of a version.
  package struct Loads: Sendable, Equatable {
    package var all: Int
    package var failed: Int
  }

  /// The level below which a rollout is halted.
  package static let level = 0.01
  /// The minimum number of the stable version's loads that show how often it fails.
  package static let stableLoads = 20

  /// The level of the test, from 0 to 1; 1 if the rollout's version fails no more often than it may.
  package let p: Double
  /// Whether the rollout is to be halted.
  package var isAlarm: Bool { p < Self.level }

  /// - Parameters:
  ///   - old: The reports of the stable version, of its whole history.
  ///   - new: The reports of the rollout's version since the rollout started.
  ///   - share: The rollout's share of the devices, above 0 and at most 1; other values never raise an alarm.
  package init(old: Loads, new: Loads, share: Double) {
    guard share > 0, share <= 1, new.all > 0, new.failed > 0 else {
      p = 1
      return
    }
    p = min(Self.compared(old, new, share), Self.isKnownToFail(old) ? 1 : Self.alone(new))
  }

  /// Returns the level of a test of equal rates.
  private static func compared(_ old: Loads, _ new: Loads, _ share: Double) -> Double {
    guard old.all > 0 else { return 1 }
    let part = max(share, Double(new.all) / (Double(old.all) + Double(new.all)))
    guard part < 1 else { return 1 }
    let counted = Double(new.all) * (1 - part) / part
    let failed = Int((Double(old.failed) * min(1, counted / Double(old.all))).rounded())
    guard Double(new.failed) > part * Double(failed + new.failed) else { return 1 }
    return level(of: [failed, new.failed], weights: [1 - part, part])
  }

  /// Returns the level of a test that half of the loads fail.
  private static func alone(_ new: Loads) -> Double {
    guard 2 * new.failed > new.all else { return 1 }
    return level(of: [new.all - new.failed, new.failed], weights: [1, 1])
  }

  /// Returns whether most loads of the stable version fail, and at least ``stableLoads``.
  private static func isKnownToFail(_ old: Loads) -> Bool {
    old.failed >= stableLoads && 2 * old.failed > old.all
  }

  private static func level(of units: [Int], weights: [Double]) -> Double {
    var test = SampleRatioTest(concentration: 2)
    test.add(units, weights: weights)
    return test.p
  }
}
