// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The list of models, and the page of each: versions, channels, the rollout, the rollback.
struct ModelPages: Sendable {
  let frame: PageFrame
  let models: ModelService
  let loads: LoadService
  let experiments: ExperimentService

  func add(to router: Router<HTTPContext>) {
    frame.get("console/models", router, list)
    frame.get("console/models/{model}", router, show)
    frame.get("console/models/{model}/rollback", router, askRollBack)
    frame.get("console/models/{model}/withdraw", router, askWithdraw)
    frame.get("console/models/{model}/channel", router, askPoint)
    frame.get("console/models/{model}/rollout", router, askRollOut)
    frame.get("console/models/{model}/halt", router, askHalt)
    frame.get("console/models/{model}/finish", router, askFinish)
    change("rollback", .rolledBack, "rollback", router) { _ in
      { (model) throws(HostError) in _ = try model.rollBack() }
    }
    change("channel", .pointed, "channel.set", router) { call throws(HostError) in
      let channel = try call.field("channel")
      let version = try call.number("version")
      return { (model) throws(HostError) in try model.point(channel, at: version) }
    }
    change("rollout", .rollout, "rollout.set", router) { call throws(HostError) in
      let version = try call.number("version")
      let share = try ModelPages.share(call.field("percent"))
      return { (model) throws(HostError) in try model.rollOut(version, microPercent: share) }
    }
    change("halt", .halted, "rollout.halt", router) { _ in
      { (model) throws(HostError) in try model.haltRollout() }
    }
    change("finish", .finished, "rollout.finish", router) { call throws(HostError) in
      ModelPages.finish(try call.number("version"))
    }
    frame.post("console/models/{model}/withdraw", router, withdraw)
  }

  // MARK: Pages

  @Sendable private func list(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.readModels)
    return try await frame.answer(call, .models) { () throws(HostError) in listPage(call) }
  }

  private func listPage(_ call: ConsoleCall) -> Page {
    let all = models.catalogue.models(project: models.project).sorted { $0.name < $1.name }
    var page = Page(template: "models", title: "Models")
    let part = ListPart(all, call.fields, path: "/console/models") { [$0.name] }
    page.add(part.values)
    page.values["hasModels"] = !all.isEmpty
    page.values["mayPublish"] = call.may(.publishModels)
    page.values["models"] = part.elements.map { model -> [String: any Sendable] in
      [
        "name": model.name, "link": ModelPages.link(model),
        "stable": model.channels[HostModel.stable].map { "version \($0)" } ?? "not published",
        "rollout": model.rollout.map { "version \($0.version): \(VersionRow.text($0))" } ?? "",
        "count": model.versions.count, "changed": Moment(model.updated),
      ]
    }
    return page
  }

  @Sendable private func show(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.readModels)
    let model = try models.model(call.path("model"))
    let entries = try await models.metadata.audit(project: models.project, model: model.name, limit: 50)
    return try await frame.answer(call, .models) { () throws(HostError) in
      modelPage(model, entries, call)
    }
  }

  private func modelPage(_ model: HostModel, _ entries: [AuditEntry], _ call: ConsoleCall) -> Page {
    let counts = loads.counts(of: model.id)
    let part = ListPart(model.versions.reversed(), call.fields, path: ModelPages.link(model)) {
      [String($0.number), $0.notes, $0.author, $0.sha256]
    }
    let rows = part.elements.map { version in
      VersionRow(
        version, of: model, counts[version.number] ?? LoadCount(),
        downloads: loads.downloads.count(of: version.sha256, size: version.size))
    }
    var page = Page(template: "model", title: model.name)
    page.values["name"] = model.name
    page.values["link"] = ModelPages.link(model)
    page.values["state"] = ModelPages.state(model, experiments.running(on: model))
    page.values["mayPublish"] = call.may(.publishModels)
    page.values["canRollBack"] = (try? ModelPages.afterRollBack(model)) != nil
    page.values["rollout"] = model.rollout.map {
      ["version": $0.version, "isHalted": $0.isHalted] as [String: any Sendable]
    }
    page.values["percent"] = model.rollout.map { VersionRow.percent($0) } ?? "10"
    page.add(part.values)
    page.values["hasVersions"] = !model.versions.isEmpty
    page.values["versions"] = rows
    let usable = model.versions.reversed().filter(\.isUsable)
    page.values["usable"] = usable.map {
      ["number": $0.number, "isRollout": model.rollout?.version == $0.number] as [String: any Sendable]
    }
    page.values["hasUsable"] = !usable.isEmpty
    page.values["history"] = "/console/audit?model=\(PercentText.encode(model.name))"
    page.values["channels"] = Set(model.channels.keys).union([HostModel.stable, "beta"]).sorted()
    page.values["entries"] = entries.map { EntryRow($0) }
    return page
  }

  @Sendable private func askRollBack(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    let after = try ModelPages.afterRollBack(model)
    let page = Page.confirmation(
      "Roll back \(model.name)?",
      ModelPages.question(from: model, to: after, experiments.running(on: model)), button: "Roll back",
      action: ModelPages.link(model) + "/rollback", seen: SeenRevision(model),
      back: ModelPages.link(model))
    return try await frame.answer(page, call, .models)
  }

  @Sendable private func askWithdraw(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    let version = try model.version(call.number("version"))
    var after = model
    try after.withdraw(version.number)
    let effect = ModelPages.effect(from: model, to: after, experiments.running(on: model))
    let page = Page.confirmation(
      "Withdraw version \(version.number) of \(model.name)?",
      "Its file is deleted and answers 404 at once. A channel that points at it returns to its previous "
        + "version whose file is intact.\(effect) This cannot be undone.",
      button: "Withdraw", action: ModelPages.link(model) + "/withdraw",
      fields: ["version": String(version.number)], seen: SeenRevision(model), destroys: true,
      back: ModelPages.link(model))
    return try await frame.answer(page, call, .models)
  }

  @Sendable private func askPoint(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    let channel = try call.field("channel")
    let version = try model.version(call.number("version"))
    var after = model
    try after.point(channel, at: version.number)
    let question =
      after.channels == model.channels && after.rollout == model.rollout
      ? "The channel already points at version \(version.number)."
      : ModelPages.question(
        channel, from: model, to: "version \(version.number)", experiments.running(on: model))
    let page = Page.confirmation(
      "Point \(channel) at version \(version.number)?", question, button: "Point",
      action: ModelPages.link(model) + "/channel",
      fields: ["channel": channel, "version": String(version.number)], seen: SeenRevision(model),
      back: ModelPages.link(model))
    return try await frame.answer(page, call, .models)
  }

  // MARK: Changes

  typealias Change = @Sendable (inout HostModel) throws(HostError) -> Void

  /// Adds a form that changes a model, and shows its page again.
  ///
  /// The form is for the model that its page has shown: sent twice, or after another change, it is refused.
  private func change(
    _ name: String, _ notice: Notice, _ action: String, _ router: Router<HTTPContext>,
    _ make: @escaping @Sendable (ConsoleCall) throws(HostError) -> Change
  ) {
    frame.post("console/models/{model}/\(name)", router) { call in
      try call.session.identity.require(.publishModels)
      let model = try models.model(call.path("model"))
      let (change, seen) = (try make(call), call.seen)
      try await models.deliver(model.id, actor: call.session.identity.name, action: action) {
        (model) throws(HostError) in
        try seen.check(model)
        try change(&model)
      }
      return frame.redirect(ModelPages.link(model), done: notice)
    }
  }

  @Sendable private func withdraw(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    let made = try await models.withdraw(
      call.number("version"), of: model, seen: call.seen, actor: call.session.identity.name)
    return frame.redirect(
      ModelPages.link(model), done: made.damaged.isEmpty ? .withdrawn : .withdrawnPastDamaged)
  }

  // MARK: Strings

  static func link(_ model: HostModel) -> String { "/console/models/\(PercentText.encode(model.name))" }

  private static func afterRollBack(_ model: HostModel) throws(HostError) -> HostModel {
    var copy = model
    try copy.rollBack()
    return copy
  }

  /// Returns the effect of a withdrawal on devices, after a space; empty if there is none.
  private static func effect(
    from model: HostModel, to after: HostModel, _ running: Experiment?
  ) -> String {
    let ended = after.rollout == nil ? model.rollout : nil
    guard after.channels[HostModel.stable] != model.channels[HostModel.stable] || ended != nil else {
      return ""
    }
    let version = after.channels[HostModel.stable].map { "version \($0)" } ?? "no version"
    return next(version, running, ended)
  }

  /// Returns the sentences about the version that devices get next, after a space.
  private static func next(_ version: String, _ running: Experiment?, _ ended: Rollout?) -> String {
    let devices = running == nil ? "all devices" : "all other devices"
    let end = ended.map { " The rollout of version \($0.version) ends." } ?? ""
    return " With their next request, \(devices) get \(version).\(end)"
  }

  private static func question(
    from model: HostModel, to after: HostModel, _ running: Experiment?
  ) -> String {
    if let rollout = model.rollout, model.channels == after.channels {
      return "The rollout of version \(rollout.version) ends, and all devices get version "
        + "\(after.channels[HostModel.stable] ?? 0) again."
    }
    let before = model.channels[HostModel.stable].map { "version \($0)" } ?? "no version"
    return "Devices get \(before) now, and version \(after.channels[HostModel.stable] ?? 0) after "
      + "the rollback. The versions are kept.\(variants(running))"
  }

  /// Returns the effect of pointing a channel of a model, which may not exist yet, at another version, before
  /// it happens.
  static func question(
    _ channel: String, from model: HostModel?, to version: String, _ running: Experiment?
  ) -> String {
    guard channel == HostModel.stable, let model, model.rollout != nil || running != nil else {
      let devices = channel == HostModel.stable ? "All devices" : "Devices that use the channel \(channel)"
      let now = model?.channels[channel].map { "version \($0)" } ?? "no version"
      return "\(devices) get \(now) now, and all of them get \(version) with their next request."
    }
    return state(model, running) + next(version, running, model.rollout)
  }

  /// Returns which versions a model's devices get.
  static func state(_ model: HostModel, _ running: Experiment? = nil) -> String {
    guard let stable = model.channels[HostModel.stable] else {
      return "Not published: no device gets this model."
    }
    guard let rollout = model.rollout else { return "Devices get version \(stable).\(variants(running))" }
    let share = VersionRow.text(rollout)
    return rollout.isHalted
      ? "Devices get version \(stable). The rollout of version \(rollout.version) is halted."
        + variants(running)
      : "Devices get version \(stable), and \(share) get version \(rollout.version)."
  }

  /// Returns a sentence about the devices that a running experiment assigns, after a space; empty without
  /// one.
  private static func variants(_ running: Experiment?) -> String {
    running.map { " While the experiment '\($0.id)' runs, its units get its variants." } ?? ""
  }
}
#endif
