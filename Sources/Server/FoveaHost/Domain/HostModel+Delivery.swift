// SPDX-License-Identifier: Apache-2.0
#if Server
extension HostModel {
  /// Returns the versions that a change gives to devices, or to more of them: those that a channel did not
  /// point at before, and that of a rollout that has started or has a larger share.
  ///
  /// The end or halt of a rollout does not count, although ``returnsToStable(since:)``: the way back from a
  /// bad version is always open.
  func versionsGained(since before: HostModel) -> [ModelVersion] {
    var numbers = Set(channels.filter { before.channels[$0.key] != $0.value }.values)
    if let rollout {
      let known = before.rollout?.version == rollout.version ? before.rollout : nil
      if known == nil || rollout.share > known?.share ?? 0 { numbers.insert(rollout.version) }
    }
    return versions.filter { numbers.contains($0.number) }
  }

  /// Returns whether a change gives devices of a rollout the stable version again, which was not read for it.
  func returnsToStable(since before: HostModel) -> Bool {
    guard let former = before.rollout, let stable = channels[Self.stable] else { return false }
    let share = rollout?.version == former.version ? rollout?.share ?? 0 : 0
    return share < former.share && stable == before.channels[Self.stable]
  }
}
#endif
