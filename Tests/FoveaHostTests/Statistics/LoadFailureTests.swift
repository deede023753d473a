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
      // For all, as if there were no old version.
      (1_000, 10, 50, 50, 1, true), (1_000, 10, 50, 25, 1, false), (1_000, 10, 10, 10, 1, false),
      // The old version fails too, as far as is known.
      (19, 19, 100, 100, 0.1, true), (20, 20, 100, 100, 0.1, false), (40, 20, 100, 100, 0.1, true),
      // A value that is not a share.
      (1_000, 10, 50, 50, 0, false), (1_000, 10, 50, 50, -1, false),
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

  /// A number of loads of the stable version, all successful, and the number of loads of the new version at
  /// which a rollout halts if all of them fail, or every second; nil for never.
  private static let few: [(old: Int, all: Int?, half: Int?)] = [
    (0, 11, nil), (1, 11, nil), (3, 11, nil), (4, 11, nil), (5, 11, nil), (8, 11, nil), (19, 6, 24),
    (20, 6, 22), (25, 5, 16),
  ]

  @Test func `few loads of the stable version delay no halt`() {
    for row in Self.few {
      for (step, expected) in [(1, row.all), (2, row.half)] {
        let first = stride(from: step, through: 400, by: step).first { count in
          LoadFailureTest(
            old: Loads(all: row.old, failed: 0), new: Loads(all: count, failed: count / step), share: 0.1
          ).isAlarm
        }
        #expect(first == expected, "\(row.old) loads, one of \(step) fails")
      }
    }
  }

  @Test(arguments: [0.01, 0.1, 0.5, 0.9, 1])
  func `more successful loads of the stable version never delay a halt`(share: Double) {
    let reports = [(11, 11), (20, 20), (20, 11), (60, 31), (60, 45), (400, 200), (400, 201), (400, 400)]
    for failed in [0, 1, 8, 12, 19, 20, 25] {
      for (all, bad) in reports {
        let halts = [0, 1, 3, 5, 10, 18, 19, 20, 25, 60, 400, 1_000].map { loaded in
          LoadFailureTest(
            old: Loads(all: failed + loaded, failed: failed), new: Loads(all: all, failed: bad), share: share
          ).isAlarm
        }
        #expect(!zip(halts, halts.dropFirst()).contains { $0 && !$1 }, "\(failed); \(all), \(bad): \(halts)")
      }
    }
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
