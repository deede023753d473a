// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The confirmations before a rollout moves devices.
extension ModelPages {
  @Sendable func askRollOut(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let version = try call.number("version")
    let percent = try call.field("percent")
    let share = try ModelPages.share(percent)
    let change = { (model: HostModel) throws(HostError) -> HostModel in
      var after = model
      try after.rollOut(version, microPercent: share)
      return after
    }
    return try await ask(call, change) { state, after in
      Page.confirmation(
        "Roll out version \(version) of \(after.name)?", DeliveryText.change(from: state, to: after),
        button: "Roll out", action: ModelPages.link(after) + "/rollout",
        fields: ["version": String(version), "percent": percent], seen: SeenRevision(state),
        back: ModelPages.link(after))
    }
  }

  @Sendable func askHalt(_ call: ConsoleCall) async throws -> Response {
    let change = { (model: HostModel) throws(HostError) -> HostModel in
      var after = model
      try after.haltRollout()
      return after
    }
    return try await ask(call, change) { state, after in
      Page.confirmation(
        "Halt the rollout of \(after.name)?", DeliveryText.change(from: state, to: after), button: "Halt",
        action: ModelPages.link(after) + "/halt", seen: SeenRevision(state), back: ModelPages.link(after))
    }
  }

  @Sendable func askFinish(_ call: ConsoleCall) async throws -> Response {
    let change = { (model: HostModel) throws(HostError) -> HostModel in
      var after = model
      try after.finishRollout()
      return after
    }
    return try await ask(call, change) { state, after in
      let version = after.channels[HostModel.stable] ?? 0
      return Page.confirmation(
        "Give version \(version) of \(after.name) to all devices?",
        DeliveryText.change(from: state, to: after), button: "Give to all",
        action: ModelPages.link(after) + "/finish", fields: ["version": String(version)],
        seen: SeenRevision(state), back: ModelPages.link(after))
    }
  }

  /// Returns the change that ends a rollout of the version that was confirmed.
  static func finish(_ version: Int) -> Change {
    { (model) throws(HostError) in try model.finishRollout(of: version) }
  }

  /// Returns the share of a percentage, in millionths of a percent.
  /// - Throws: `invalid` if it is not 0 to 100, or below the smallest share.
  static func share(_ text: String) throws(HostError) -> Int {
    let number = (text.hasSuffix("%") ? String(text.dropLast()) : text).trimmingBlanks
    // Numbers in hexadecimal are mistakes.
    guard !number.lowercased().contains("x"), let percent = Double(number) else {
      throw HostError(
        .invalid, "The share is '\(text.prefix(40))', not a percentage from 0 to 100",
        remedy: "Write it as 12.5, and send the form again")
    }
    return try HostRequest.Rollout.microPercent(percent)
  }
}
#endif
