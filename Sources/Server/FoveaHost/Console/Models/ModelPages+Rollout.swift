// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The confirmations before a rollout moves devices.
extension ModelPages {
  @Sendable func askRollOut(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    let version = try call.number("version")
    let percent = try call.field("percent")
    let share = try ModelPages.share(percent)
    var after = model
    try after.rollOut(version, microPercent: share)
    let page = Page.confirmation(
      "Roll out version \(version) of \(model.name)?",
      ModelPages.question(from: model, to: version, share: share), button: "Roll out",
      action: ModelPages.link(model) + "/rollout",
      fields: ["version": String(version), "percent": percent], seen: SeenRevision(model),
      back: ModelPages.link(model))
    return try await frame.answer(page, call, .models)
  }

  @Sendable func askHalt(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    var after = model
    try after.haltRollout()
    let stable = after.channels[HostModel.stable].map { "version \($0)" } ?? "no version"
    let page = Page.confirmation(
      "Halt the rollout of \(model.name)?",
      "\(ModelPages.state(model)) With their next request, all devices get \(stable).",
      button: "Halt", action: ModelPages.link(model) + "/halt",
      seen: SeenRevision(model), back: ModelPages.link(model))
    return try await frame.answer(page, call, .models)
  }

  @Sendable func askFinish(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    var after = model
    try after.finishRollout()
    let version = after.channels[HostModel.stable] ?? 0
    let page = Page.confirmation(
      "Give version \(version) of \(model.name) to all devices?",
      ModelPages.question(from: model, to: version, share: Rollout.everyDevice) + " The rollout ends.",
      button: "Give to all", action: ModelPages.link(model) + "/finish",
      fields: ["version": String(version)], seen: SeenRevision(model), back: ModelPages.link(model))
    return try await frame.answer(page, call, .models)
  }

  /// Returns the change that ends a rollout of the version that was confirmed.
  static func finish(_ version: Int) -> Change {
    { (model) throws(HostError) in try model.finishRollout(of: version) }
  }

  /// Returns the share of a percentage, in millionths of a percent.
  /// - Throws: `invalid` if it is not 0 to 100, or below the smallest share.
  static func share(_ text: String) throws(HostError) -> Int {
    guard let percent = Double(text) else {
      throw HostError(
        .invalid, "The share is '\(text.prefix(40))', not a percentage from 0 to 100", remedy: "Correct it")
    }
    return try HostRequest.Rollout.microPercent(percent)
  }

  /// Returns the effect of a rollout on devices, before it happens.
  static func question(from model: HostModel, to version: Int, share: Int) -> String {
    let devices =
      switch share {
      case 0: "no devices get"
      case Rollout.everyDevice: "all devices get"
      default: "\(VersionRow.percent(Rollout(version: version, microPercent: share))) % of the devices get"
      }
    return "\(state(model)) With their next request, \(devices) version \(version)."
  }
}
#endif
