// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The sentences about the versions that a model's devices get, before and after a change.
enum DeliveryText {
  /// Returns which versions devices get.
  static func state(_ state: DeliveryState) -> String {
    guard let model = state.model, let stable = model.channels[HostModel.stable] else {
      return "Not published: no device gets this model."
    }
    let kept = variants(state.running)
    guard let rollout = model.rollout else { return "Devices get version \(stable).\(kept)" }
    if rollout.isHalted {
      return "Devices get version \(stable). The rollout of version \(rollout.version) is halted.\(kept)"
    }
    guard rollout.share < Rollout.everyDevice else {
      return
        "All devices get version \(rollout.version) by its rollout. The stable version is \(stable).\(kept)"
    }
    let share = VersionRow.text(rollout)
    return "Devices get version \(stable), and \(share) get version \(rollout.version).\(kept)"
  }

  /// Returns the effect of a change, before it happens, with the present state.
  /// - Parameters:
  ///   - channel: The channel that the change is about.
  ///   - state: The present state.
  ///   - after: The model after the change; a version that the model does not have is the new version.
  /// - Returns: The sentences.
  static func change(
    _ channel: String = HostModel.stable, from state: DeliveryState, to after: HostModel
  ) -> String {
    let before = state.model
    let isSimple = before?.rollout == nil && after.rollout == nil && state.running == nil
    guard channel == HostModel.stable, !isSimple else {
      let devices = channel == HostModel.stable ? "All devices" : "Devices that use the channel \(channel)"
      let now = version(before?.channels[channel], before)
      let next = version(after.channels[channel], before)
      return "\(devices) get \(now) now, and all of them get \(next) with their next request."
    }
    let isNew = before?.channels[HostModel.stable] == nil
    let effect = effect(from: state, to: after)
    return self.state(state) + (effect.isEmpty ? " Devices keep what they get." : effect)
      + (isNew ? variants(state.running) : "")
  }

  /// Returns the effect of a change, after a space; empty if devices keep what they get.
  static func effect(from state: DeliveryState, to after: HostModel) -> String {
    let before = state.model
    let movesStable = before?.channels[HostModel.stable] != after.channels[HostModel.stable]
    guard movesStable || before?.rollout != after.rollout else { return "" }
    let ended = before?.rollout.flatMap { $0.version == after.rollout?.version ? nil : $0.version }
    let end = ended.map { " The rollout of version \($0) ends." } ?? ""
    return " With their next request, \(next(state, after, movesStable: movesStable)).\(end)"
  }

  /// Returns the part of the sentence on what devices get with their next request.
  private static func next(_ state: DeliveryState, _ after: HostModel, movesStable: Bool) -> String {
    let stable = version(after.channels[HostModel.stable], state.model)
    guard let rollout = after.rollout, !rollout.isHalted else {
      // Without a stable version no device gets the model, nor a variant.
      let others = state.running != nil && after.isPublished ? "all other devices" : "all devices"
      return "\(others) get \(stable)"
    }
    let winner = version(rollout.version, state.model)
    return switch rollout.microPercent {
    case 0: movesStable ? "all devices get \(stable)" : "no devices get \(winner)"
    case Rollout.everyDevice: "all devices get \(winner)"
    default: (movesStable ? "devices get \(stable), and " : "") + "\(VersionRow.text(rollout)) get \(winner)"
    }
  }

  private static func version(_ number: Int?, _ before: HostModel?) -> String {
    guard let number else { return "no version" }
    return before?.found(number) == nil ? "the new version" : "version \(number)"
  }

  /// Returns a sentence about the devices that a running experiment assigns, after a space; empty without
  /// one.
  private static func variants(_ running: Experiment?) -> String {
    running.map { " While the experiment '\($0.id)' runs, its units get its variants." } ?? ""
  }
}
#endif
