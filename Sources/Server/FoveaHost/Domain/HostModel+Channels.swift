// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostModel {
  /// The channel that devices use.
  package static let stable = "stable"
  /// The number of earlier versions that a channel remembers.
  static let longestHistory = 32

  /// Whether devices get the model: Firebase's `published`.
  package var isPublished: Bool { channels[Self.stable] != nil }

  /// Points a channel at a version; on the stable channel this ends a rollout, which started from the version
  /// before.
  /// - Throws: `invalid` for an invalid name; `not-found`, `precondition` as ``usableVersion(_:)``.
  package mutating func point(_ channel: String, at number: Int) throws(HostError) {
    try Self.checkChannel(channel)
    _ = try usableVersion(number)
    if channel == Self.stable { rollout = nil }
    guard channels[channel] != number else { return }
    remember(channel)
    channels[channel] = number
  }

  /// Makes the latest file the stable version.
  ///
  /// Does nothing if it is already stable.
  /// - Throws: `precondition` with Firebase's text if that file is not a version.
  package mutating func publish() throws(HostError) {
    guard let current, currentVersion?.isUsable == true else {
      throw HostError(
        .precondition, "Cannot publish a model that is not verified",
        remedy: problem?.detail.map { "The file was refused: \($0)" }
          ?? "Upload a valid .tflite file first",
        cause: WireText.notVerified)
    }
    guard channels[Self.stable] != current else { return }
    try point(Self.stable, at: current)
  }

  /// Clears the stable channel and ends a rollout; the versions are kept.
  package mutating func unpublish() { clear(Self.stable) }

  /// Clears a channel; does nothing if it points at no version.
  package mutating func clear(_ channel: String) {
    if channel == Self.stable { rollout = nil }
    guard channels[channel] != nil else { return }
    remember(channel)
    channels[channel] = nil
  }

  /// Undoes the last change.
  ///
  /// If a rollout is running, it ends and the stable channel does not change: all devices get its version
  /// again. Otherwise the channel points at its previous version that is not withdrawn, and a halted rollout
  /// ends.
  /// - Parameter channel: The channel; the stable one by default.
  /// - Returns: The number of the version that the channel points at now.
  /// - Throws: `precondition` if there is no previous version; `invalid` for an invalid name.
  @discardableResult
  package mutating func rollBack(_ channel: String = HostModel.stable) throws(HostError) -> Int {
    try Self.checkChannel(channel)
    if channel == Self.stable, let rollout, rollout.share > 0, let number = channels[channel] {
      self.rollout = nil
      return number
    }
    guard let number = takeFormer(of: channel) else {
      throw HostError(
        .precondition, "The channel '\(channel)' of the model '\(name)' has no previous version",
        remedy: "Point it at a version, or publish one")
    }
    if channel == Self.stable { rollout = nil }
    channels[channel] = number
    return number
  }

  /// Removes and returns the latest usable version that a channel pointed at before, other than its current
  /// one and those to avoid.
  mutating func takeFormer(of channel: String, avoiding avoided: Set<Int> = []) -> Int? {
    defer { if formerly[channel]?.isEmpty == true { formerly[channel] = nil } }
    // Searched first: a call that fails changes nothing.
    let history = formerly[channel] ?? []
    let index = history.lastIndex {
      $0 != channels[channel] && !avoided.contains($0) && found($0)?.isUsable == true
    }
    guard let index else { return nil }
    formerly[channel] = Array(history[..<index])
    return history[index]
  }

  private mutating func remember(_ channel: String) {
    guard let number = channels[channel] else { return }
    formerly[channel, default: []].append(number)
    if formerly[channel, default: []].count > Self.longestHistory { formerly[channel]?.removeFirst() }
  }

  /// - Throws: `invalid` for anything but 1 to 32 letters, digits, `_` and `-`.
  package static func checkChannel(_ name: String) throws(HostError) {
    guard HostName.isName(name) else {
      throw HostError(
        .invalid, "\(HostName.shown(name)) is not a valid channel name",
        remedy: "Use 1 to 32 letters, digits, '_' and '-'")
    }
  }
}
#endif
