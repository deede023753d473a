// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The outcomes of a version's first loads, as reported by devices.
package struct LoadCount: Sendable, Equatable {
  package var loaded = 0
  package var failed = 0
  /// The number of devices that returned to the previous version after three starts that did not load this
  /// version.
  package var abandoned = 0

  package init() {}

  /// All reports.
  package var all: Int { loaded + failed + abandoned }
  /// Reports of a version that does not work.
  package var bad: Int { failed + abandoned }

  /// The input of the test of a rollout.
  var loads: LoadFailureTest.Loads { LoadFailureTest.Loads(all: all, failed: bad) }
  /// The same without one failed load, which a single network may have invented.
  var certainLoads: LoadFailureTest.Loads {
    let doubtful = min(bad, 1)
    return LoadFailureTest.Loads(all: all - doubtful, failed: bad - doubtful)
  }

  package static func += (count: inout LoadCount, more: LoadCount) {
    count.loaded += more.loaded
    count.failed += more.failed
    count.abandoned += more.abandoned
  }
}

/// The key by which reports are counted.
package struct LoadKey: Sendable, Hashable {
  /// The id of the model.
  package let model: String
  /// The running rollout and its share in millionths of a percent; 0 for none.
  package let run: Int64
  package let share: Int
  package let version: Int

  package init(model: String, run: Int64, share: Int, version: Int) {
    self.model = model
    self.run = run
    self.share = share
    self.version = version
  }

  /// Creates the key of a report about a version of a model at present.
  init(_ model: HostModel, version: Int) {
    let rollout = model.rollout.flatMap { $0.share > 0 ? $0 : nil }
    self.init(model: model.id, run: rollout?.run ?? 0, share: rollout?.share ?? 0, version: version)
  }
}

extension HostModel {
  /// Returns whether its rollout should be halted: the new version fails to load more often than the stable
  /// one.
  /// - Parameters:
  ///   - counts: Every report about this model.
  ///   - networks: The number of networks in which the new version does not load: a few are needed, and more
  ///     if there are few loads of the stable version to compare with.
  /// - Returns: Also false if it has no rollout.
  func hasFailingRollout(_ counts: [LoadKey: LoadCount], seenIn networks: Int) -> Bool {
    guard let rollout, rollout.share > 0, let run = rollout.run, let stable = channels[Self.stable] else {
      return false
    }
    var (old, new) = (LoadCount(), LoadCount())
    for (key, count) in counts where key.model == id {
      if key.version == stable { old += count }
      if key.version == rollout.version, key.run == run { new += count }
    }
    let stableLoads = old.certainLoads
    let needed =
      stableLoads.all >= LoadFailureTest.stableLoads
      ? LoadReporters.networksToHalt : LoadReporters.networksToHaltAlone
    guard networks >= needed else { return false }
    return LoadFailureTest(
      old: stableLoads, new: new.loads, share: Double(rollout.share) / Double(Rollout.everyDevice)
    ).isAlarm
  }
}

/// Load reports as text.
package enum LoadCountText {
  /// Returns `1,204, 3 failed`; nil before the first report.
  package static func text(loaded: Int, failed: Int) -> String? {
    guard loaded + failed > 0 else { return nil }
    let text = DecimalText.grouped(loaded)
    return failed > 0 ? "\(text), \(DecimalText.grouped(failed)) failed" : text
  }
}
#endif
