// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostModel {
  /// The channel that devices get.
  package static let stable = "stable"
  /// How many versions before the present one a channel remembers.
  static let longestHistory = 32

  /// Whether devices get it: Firebase's `published`.
  package var isPublished: Bool { channels[Self.stable] != nil }

  /// Points a channel at a version; the stable channel ends a rollout, which was a share of the way from the version before.
  /// - Throws: `invalid` for a name that is none; `not-found`, `precondition` as ``usableVersion(_:)``.
  package mutating func point(_ channel: String, at number: Int) throws(HostError) {
    try Self.checkChannel(channel)
    _ = try usableVersion(number)
    if channel == Self.stable { rollout = nil }
    guard channels[channel] != number else { return }
    remember(channel)
    channels[channel] = number
  }

  /// Makes the file named last the stable version.
  ///
  /// Nothing changes where it is stable already.
  /// - Throws: `precondition` with Firebase's text where that file is no version.
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

  /// Lets the stable channel point at nothing and ends a rollout; the versions stay.
  package mutating func unpublish() { clear(Self.stable) }

  /// Lets a channel point at nothing; nothing changes where it does already.
  package mutating func clear(_ channel: String) {
    if channel == Self.stable { rollout = nil }
    guard channels[channel] != nil else { return }
    remember(channel)
    channels[channel] = nil
  }

  /// Takes back what changed last.
  ///
  /// Where a rollout is under way, it ends and the stable channel stays: all devices get its version again. Otherwise the
  /// channel points at the version before, withdrawn ones left out, and a rollout that is halted ends.
  /// - Parameter channel: The channel; the stable one by default.
  /// - Returns: The number of the version that the channel points at now.
  /// - Throws: `precondition` where there is no version before; `invalid` for a name that is none.
  @discardableResult
  package mutating func rollBack(_ channel: String = HostModel.stable) throws(HostError) -> Int {
    try Self.checkChannel(channel)
    if channel == Self.stable, let rollout, rollout.share > 0, let number = channels[channel] {
      self.rollout = nil
      return number
    }
    guard let number = takeFormer(of: channel) else {
      throw HostError(
        .precondition, "The channel '\(channel)' of the model '\(name)' has no version to go back to",
        remedy: "Point it at a version, or publish one")
    }
    if channel == Self.stable { rollout = nil }
    channels[channel] = number
    return number
  }

  /// Takes the latest version that a channel pointed at before, that can be used, and at which it does not point now.
  mutating func takeFormer(of channel: String) -> Int? {
    defer { if formerly[channel]?.isEmpty == true { formerly[channel] = nil } }
    // Looked for first: a call that fails changes nothing.
    let history = formerly[channel] ?? []
    let index = history.lastIndex { $0 != channels[channel] && found($0)?.isUsable == true }
    guard let index else { return nil }
    formerly[channel] = Array(history[..<index])
    return history[index]
  }

  private mutating func remember(_ channel: String) {
    guard let number = channels[channel] else { return }
    formerly[channel, default: []].append(number)
    if formerly[channel, default: []].count > Self.longestHistory { formerly[channel]?.removeFirst() }
  }

  /// - Throws: `invalid` for what is not 1 to 32 letters, digits, `_` and `-`.
  package static func checkChannel(_ name: String) throws(HostError) {
    guard HostName.isName(name) else {
      throw HostError(
        .invalid, "A channel cannot be named \(HostName.shown(name))",
        remedy: "Use 1 to 32 letters, digits, '_' and '-'")
    }
  }
}
#endif
