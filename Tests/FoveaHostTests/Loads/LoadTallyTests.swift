// SPDX-License-Identifier: Apache-2.0
#if Server
import Testing

@testable import FoveaHost

/// Load reports of fleets and of forgers, without a host.
@Suite struct LoadTallyTests {
  typealias Outcome = LoadService.Outcome

  /// Reports about a model whose version 1 is stable and whose version 2 is rolled out.
  private struct Fleet {
    private(set) var model: HostModel
    private(set) var tally = LoadTally()
    /// True once a report has shown that version 2 fails.
    private(set) var isFailing = false
    private var devices = 0

    init() throws {
      model = try HostSamples.published()
      try roll(toPercent: 10)
    }

    mutating func roll(toPercent percent: Int) throws {
      try model.rollOut(2, microPercent: percent * 1_000_000)
    }

    /// Sends a report of a new device, with a token, from its own address or from a given one.
    mutating func report(_ outcome: Outcome, of version: Int, from address: String? = nil) {
      devices += 1
      let reporter = LoadReporter(
        installation: "device \(devices)", network: address ?? "address \(devices)")
      let entry = tally.enter(
        outcome, of: version, model, by: reporter, at: Timestamp(milliseconds: 1_000))
      if entry.isFailing { isFailing = true }
    }

    mutating func restore(_ written: [LoadKey: LoadCount]) { tally.restore(written) }

    mutating func takeNew() -> [LoadKey: LoadCount] { tally.takeNew() }

    mutating func report(_ outcome: Outcome, of version: Int, times: Int, from address: String? = nil) {
      for _ in 0..<times { report(outcome, of: version, from: address) }
    }

    /// Returns the number of loads of version 2 at which it is found to fail if one of `step` loads fails; nil
    /// for never.
    mutating func failingLoads(oneOf step: Int) -> Int? {
      for number in 1...400 {
        report(number % step == 0 ? .failed : .loaded, of: 2)
        if isFailing { return number }
      }
      return nil
    }

    func count(of version: Int) -> LoadCount { tally.versions(of: model.id)[version] ?? LoadCount() }
  }

  @Test(arguments: [0, 1, 8, 18, 19, 20, 25, 40, 100, 400], [1, 2, 4])
  func `forged failures of the stable version from one address delay no halt`(loads: Int, step: Int) throws {
    var honest = try Fleet()
    honest.report(.loaded, of: 1, times: loads)
    let expected = honest.failingLoads(oneOf: step)
    #expect(step > 1 || expected != nil)
    for isEarly in [true, false] {
      var fleet = try Fleet()
      if !isEarly { fleet.report(.loaded, of: 1, times: loads) }
      // A step of the rollout gives the address no new share.
      for percent in [1, 5, 10] {
        try fleet.roll(toPercent: percent)
        for outcome in [Outcome.failed, .left] { fleet.report(outcome, of: 1, times: 60, from: "forger") }
      }
      if isEarly { fleet.report(.loaded, of: 1, times: loads) }
      #expect(fleet.count(of: 1).bad == 1)
      #expect(fleet.failingLoads(oneOf: step) == expected, "\(isEarly)")
    }
  }

  @Test(arguments: [0, 1, 8, 19, 20, 25, 40, 400])
  func `forged failures of the new version from one address cause no halt`(loads: Int) throws {
    var fleet = try Fleet()
    fleet.report(.loaded, of: 1, times: loads)
    for percent in [1, 5, 10, 100] {
      try fleet.roll(toPercent: percent)
      for outcome in [Outcome.failed, .left] { fleet.report(outcome, of: 2, times: 60, from: "forger") }
    }
    #expect(fleet.count(of: 2).bad == 1 && !fleet.isFailing)
    // Nor do they add more than one address to the failures of others.
    fleet.report(.failed, of: 2, times: 3)
    #expect(!fleet.isFailing)
  }

  @Test(arguments: [0, 1, 8, 18])
  func `forged loads of the new version from one address delay no halt`(loads: Int) throws {
    var fleet = try Fleet()
    fleet.report(.loaded, of: 1, times: loads)
    fleet.report(.loaded, of: 2, times: 60, from: "forger")
    #expect(fleet.count(of: 2).loaded == 1)
    #expect(fleet.failingLoads(oneOf: 1) == LoadReporters.networksToHaltAlone)
  }

  @Test(
    arguments: [(1, 1, 1), (1, 30, 1), (4, 30, 4), (5, 1, 5), (5, 2, 10), (5, 30, 100), (10, 15, 150)],
    Outcome.allCases)
  func `devices of an address count once four others have sent as many`(
    _ row: (Int, Int, Int), _ outcome: Outcome
  ) throws {
    let (addresses, devices, counted) = row
    for version in [1, 2] {
      var fleet = try Fleet()
      for _ in 0..<devices {
        for address in 0..<addresses { fleet.report(outcome, of: version, from: "office \(address)") }
      }
      #expect(fleet.count(of: version).all == counted)
    }
  }

  /// Returns the number of rollouts that are found to fail, of devices with an address each.
  private static func failing(
    _ oldRate: Double, _ newRate: Double, loads: Int, runs: Int
  ) throws -> Int {
    try (0..<runs).count { run in
      var numbers = RandomNumbers(seed: 11, run: UInt64(run))
      var fleet = try Fleet()
      for _ in 0..<loads where !fleet.isFailing {
        for _ in 0..<9 { fleet.report(numbers.uniform() < oldRate ? .failed : .loaded, of: 1) }
        fleet.report(numbers.uniform() < newRate ? .failed : .loaded, of: 2)
      }
      return fleet.isFailing
    }
  }

  @Test(
    arguments: [
      // 0.1 % compared with 5 % within 2,000 loads of both, and equal rates.
      (0.001, 0.05, 200, 50, 45...50), (0.05, 0.05, 300, 20, 0...1),
    ] as [(Double, Double, Int, Int, ClosedRange<Int>)])
  func `failures from many addresses halt a rollout as often as they should`(
    _ oldRate: Double, _ newRate: Double, _ loads: Int, _ runs: Int, _ expected: ClosedRange<Int>
  ) throws {
    let found = try Self.failing(oldRate, newRate, loads: loads, runs: runs)
    #expect(expected.contains(found), "\(found) of \(runs)")
  }

  @Test func `counts of other hosts are added to those that are not written yet`() throws {
    var fleet = try Fleet()
    fleet.report(.loaded, of: 1, times: 3)
    var written = fleet.takeNew()
    fleet.report(.loaded, of: 1, times: 2)
    for key in written.keys { written[key]?.loaded += 10 }
    fleet.restore(written)
    #expect(fleet.tally.versions(of: fleet.model.id)[1]?.loaded == 15)
    fleet.restore([:])
    #expect(fleet.tally.versions(of: fleet.model.id)[1]?.loaded == 2)
  }
}
#endif
