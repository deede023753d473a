// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaStatistics

  /// How the first loads of a version ended, as devices report them.
  package struct LoadCount: Sendable, Equatable {
    package var loaded = 0
    package var failed = 0
    /// Devices that left the version for the one before, after three starts that did not load it.
    package var abandoned = 0

    package init() {}

    /// Every report.
    package var all: Int { loaded + failed + abandoned }
    /// Reports of a version that does not work.
    package var bad: Int { failed + abandoned }

    package static func += (count: inout LoadCount, more: LoadCount) {
      count.loaded += more.loaded
      count.failed += more.failed
      count.abandoned += more.abandoned
    }
  }

  /// What reports are counted by.
  package struct LoadKey: Sendable, Hashable {
    /// The id of the model.
    package let model: String
    /// The rollout that was under way, and its share in millionths of a percent; 0 for none.
    package let run: Int64
    package let share: Int
    package let version: Int

    package init(model: String, run: Int64, share: Int, version: Int) {
      self.model = model
      self.run = run
      self.share = share
      self.version = version
    }

    /// Where a report about a version of a model belongs now.
    init(_ model: HostModel, version: Int) {
      let rollout = model.rollout.flatMap { $0.share > 0 ? $0 : nil }
      self.init(
        model: model.id, run: rollout?.run ?? 0, share: rollout?.share ?? 0, version: version)
    }
  }

  extension HostModel {
    /// Whether its rollout is to be halted: the new version fails to load more often than its part of the loads explains.
    ///
    /// Devices report the first load of a version alone, so right after the beginning nearly all reports are about the new one.
    /// What is expected of it is its part of the reports, or the rollout's share where that is larger.
    func hasFailingRollout(_ counts: [LoadKey: LoadCount]) -> Bool {
      guard let rollout, rollout.share > 0, let run = rollout.run, let stable = channels[Self.stable] else {
        return false
      }
      var test = LoadFailureTest()
      let shares = Set(counts.keys.filter { $0.model == id && $0.run == run }.map(\.share))
      for share in shares.sorted() {
        func count(_ version: Int) -> LoadCount {
          counts[LoadKey(model: id, run: run, share: share, version: version)] ?? LoadCount()
        }
        let (old, new) = (count(stable), count(rollout.version))
        let part = Double(new.all) / Double(max(1, old.all + new.all))
        test.add(
          old: old.bad, new: new.bad, share: max(part, Double(share) / Double(Rollout.everyDevice)))
      }
      return test.isAlarm
    }
  }
#endif
