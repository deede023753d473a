// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension Rollout {
  /// All devices, in millionths of a percent.
  package static let everyDevice = 100_000_000

  /// The share in percent, without trailing zeros, for example `12.5`; of a halted rollout the one before.
  var percent: String { DecimalText.short(Double(microPercent) / 1_000_000, places: 6) }
}

extension HostModel {
  /// Rolls a version out to a share of the devices, or changes the share of the running rollout.
  ///
  /// The seed of assignments stays the same, so raising the share removes the version from no device. Resumes
  /// a halted rollout.
  /// - Parameters:
  ///   - number: The version.
  ///   - microPercent: The share in millionths of a percent, 0 to 100,000,000.
  /// - Throws: `invalid` for a share out of that range; `not-found` for an unknown version; `precondition` if
  ///   the model is not published, the version is already stable or cannot be used, or another rollout is
  ///   running.
  package mutating func rollOut(_ number: Int, microPercent: Int) throws(HostError) {
    guard (0...Rollout.everyDevice).contains(microPercent) else {
      throw HostError(
        .invalid, "The share of the rollout is \(microPercent) millionths of a percent, not 0 to 100,000,000",
        remedy: "Give a percentage from 0 to 100")
    }
    _ = try usableVersion(number)
    guard let stable = channels[Self.stable] else {
      throw HostError(
        .precondition, "The model '\(name)' is not published, so a rollout has no version to start from",
        remedy: "Publish a version first")
    }
    guard stable != number else { throw alreadyStable(number) }
    if let rollout, rollout.version != number, !rollout.isHalted {
      throw HostError(
        .precondition, "A rollout of version \(rollout.version) of the model '\(name)' is running",
        remedy: "Finish it, halt it or roll back first")
    }
    try checkNoExperiment()
    // The loads of a halted rollout do not count any more.
    let goesOn = rollout?.version == number && rollout?.isHalted == false
    let run = goesOn ? rollout?.run : revision
    rollout = Rollout(version: number, microPercent: microPercent)
    rollout?.run = run
  }

  /// Returns the error of a rollout of the stable version, whose remedy is the way back if there is one.
  private func alreadyStable(_ number: Int) -> HostError {
    var back = self
    let former = back.takeFormer(of: Self.stable)
    let message = "Version \(number) of the model '\(name)' is already the stable version"
    guard let former, rollout == nil else {
      return HostError(
        .precondition, message,
        remedy: "Publish the next version with \(command: "host publish --channel beta"), and roll that out")
    }
    return HostError(
      .precondition, message,
      remedy: """
        Go back to version \(former) with \(command: "host rollback \(name)") first, or publish the next \
        version with \(flag: "channel") beta, which leaves 'stable' as it is
        """)
  }

  /// Stops giving the version of the rollout to devices until it is resumed; does nothing if it is already
  /// halted.
  /// - Parameter version: The version that the rollout must have; nil for any.
  /// - Throws: `precondition` if there is no rollout; `conflict` if it has another version.
  package mutating func haltRollout(of version: Int? = nil) throws(HostError) {
    _ = try presentRollout(of: version)
    rollout?.isHalted = true
  }

  /// Makes the version of the rollout the stable one, which ends the rollout.
  /// - Parameter version: The version that the rollout must have; nil for any.
  /// - Throws: `precondition` if there is no rollout, or it is halted; `conflict` if it has another version.
  package mutating func finishRollout(of version: Int? = nil) throws(HostError) {
    let rollout = try presentRollout(of: version)
    guard !rollout.isHalted else {
      throw HostError(
        .precondition, "The rollout of version \(rollout.version) of the model '\(name)' is halted",
        remedy: "Resume it by setting its share, or point the channel at the version")
    }
    try point(Self.stable, at: rollout.version)
  }

  private func presentRollout(of version: Int?) throws(HostError) -> Rollout {
    guard let rollout else {
      throw HostError(
        .precondition, "The model '\(name)' has no rollout", remedy: "Start one with a version and a share")
    }
    if let version, version != rollout.version {
      throw HostError(
        .conflict, "The rollout is of version \(rollout.version) now, not of version \(version)",
        remedy: "Read the model again, and repeat the request with its version")
    }
    return rollout
  }
}
#endif
