// SPDX-License-Identifier: Apache-2.0
#if Server
extension HostModel {
  /// Returns the versions that a change gives to devices, or to more of them: those that a channel did not
  /// point at before, and that of a rollout that has started or has a larger share.
  ///
  /// The end or halt of a rollout does not count, although its devices get the stable version again: the way
  /// back from a bad version is always open.
  func versionsGained(since before: HostModel) -> [ModelVersion] {
    var numbers = Set(channels.filter { before.channels[$0.key] != $0.value }.values)
    if let rollout {
      let known = before.rollout?.version == rollout.version ? before.rollout : nil
      if known == nil || rollout.share > known?.share ?? 0 { numbers.insert(rollout.version) }
    }
    return versions.filter { numbers.contains($0.number) }
  }
}
#endif
