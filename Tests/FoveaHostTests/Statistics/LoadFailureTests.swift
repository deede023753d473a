// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct LoadFailureTests {
  private typealias Loads = LoadFailureTest.Loads

  @Test(
    arguments: [
      // No loads, and no failed ones.
      (0, 0, 0, 0, 0.1, false), (100, 0, 0, 0, 0.1, false), (100, 50, 100, 0, 0.1, false),
      // As often as the old one.
      (900, 9, 100, 1, 0.1, false), (900, 90, 100, 10, 0.1, false), (1_000_000, 10_000, 100, 1, 0.1, false),
      // Broken, whether the fleet has reported the old version before, does so now, or never did.
      (1_000_000, 1_000, 5, 5, 0.1, true), (50, 0, 20, 20, 0.1, true), (0, 0, 20, 20, 0.1, true),
      (100, 100, 100, 100, 0.1, false),
      // A few loads of the old version protect no broken one.
      (1, 0, 20, 20, 0.1, true), (3, 0, 20, 20, 0.1, true), (4, 4, 20, 20, 0.1, true),
      (5, 0, 20, 20, 0.1, true), (8, 0, 20, 20, 0.1, true), (19, 0, 20, 20, 1, true),
      (1, 0, 1_000, 490, 0.5, false), (1, 0, 2, 2, 0.1, false),
      // Without an old version only a majority is too many.
      (0, 0, 1_000, 50, 0.1, false), (0, 0, 1_000, 490, 0.5, false),
      // Fewer failures than the old version.
      (1_000, 500, 100, 1, 0.1, false),
      // For all, and a value that is not a share.
      (1_000, 10, 50, 50, 1, false), (1_000, 10, 50, 50, 0, false), (1_000, 10, 50, 50, -1, false),
      (1_000, 10, 50, 50, .nan, false), (1_000, 10, 50, 50, 0.000_001, true),
      (1_000_000_000, 1_000_000, 1_000_000, 100_000, 0.01, true),
    ] as [(Int, Int, Int, Int, Double, Bool)])
  func `a rollout halts if its version fails more often`(
    _ old: Int, _ oldFailed: Int, _ new: Int, _ newFailed: Int, _ share: Double, _ halts: Bool
  ) {
    let test = LoadFailureTest(
      old: Loads(all: old, failed: oldFailed), new: Loads(all: new, failed: newFailed), share: share)
    #expect(test.isAlarm == halts, "p is \(test.p)")
    #expect((0...1).contains(test.p))
  }

  /// The number of 200 rollouts to a tenth that halt at a look after a failed load of the new version.
  private static func halted(
    _ oldRate: Double, _ newRate: Double, history: Int, live: Int, loads: Int
  ) -> Int {
    (0..<200).count { run in
      var numbers = RandomNumbers(seed: 7, run: UInt64(run))
      var old = Loads(all: history, failed: numbers.binomial(history, oldRate))
      var new = Loads(all: 0, failed: 0)
      for _ in 0..<loads {
        for _ in 0..<live {
          old.all += 1
          if numbers.uniform() < oldRate { old.failed += 1 }
        }
        new.all += 1
        guard numbers.uniform() < newRate else { continue }
        new.failed += 1
        if LoadFailureTest(old: old, new: new, share: 0.1).isAlarm { return true }
      }
      return false
    }
  }

  @Test(
    arguments: [
      // Equal rates: with a history, with only live reports, and with a short history.
      (0.05, 0.05, 20_000, 0, 1_000, 0...2), (0.05, 0.05, 0, 9, 1_000, 0...2), (0.2, 0.2, 50, 1, 500, 0...4),
      // 0.1 compared with 1 % within 20,000 loads of both, and with 5 % within 2,000.
      (0.001, 0.01, 18_000, 0, 2_000, 190...200), (0.001, 0.01, 0, 9, 2_000, 190...200),
      (0.001, 0.05, 1_800, 0, 200, 180...200), (0.001, 0.05, 0, 9, 200, 180...200),
    ] as [(Double, Double, Int, Int, Int, ClosedRange<Int>)])
  func `simulated rollouts halt as often as they should`(
    _ oldRate: Double, _ newRate: Double, _ history: Int, _ live: Int, _ loads: Int,
    _ expected: ClosedRange<Int>
  ) {
    let found = Self.halted(oldRate, newRate, history: history, live: live, loads: loads)
    #expect(expected.contains(found), "\(found) of 200 halt")
  }
}
