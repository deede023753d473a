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
    let warnings = await models.warnings(of: model)
    return try await frame.answer(call, .models) { () throws(HostError) in
      var page = modelPage(model, entries, call)
      page.values["warnings"] = warnings
      return page
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
    page.values["state"] = DeliveryText.state(experiments.deliveryState(of: model))
    page.values["mayPublish"] = call.may(.publishModels)
    page.values["canRollBack"] = (try? ModelPages.afterRollBack(model)) != nil
    page.values["rollout"] = model.rollout.map {
      ["version": $0.version, "isHalted": $0.isHalted] as [String: any Sendable]
    }
    page.values["percent"] = model.rollout?.percent ?? "10"
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
    let after = { (model: HostModel) throws(HostError) in try ModelPages.afterRollBack(model) }
    return try await ask(call, after) { state, after in
      Page.confirmation(
        "Roll back \(after.name)?", DeliveryText.change(from: state, to: after) + " The versions are kept.",
        button: "Roll back", action: ModelPages.link(after) + "/rollback", seen: SeenRevision(state),
        back: ModelPages.link(after))
    }
  }

  @Sendable private func askWithdraw(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    let version = try model.version(call.number("version"))
    guard !version.isWithdrawn else {
      throw HostError(
        .precondition, "Version \(version.number) of the model '\(model.name)' is already withdrawn",
        remedy: "Nothing needs to be done")
    }
    let (after, damaged) = try await models.withdrawal(
      of: version.number, from: model, actor: call.session.identity.name)
    let state = experiments.deliveryState(of: model, damaged: damaged)
    let page = Page.confirmation(
      "Withdraw version \(version.number) of \(model.name)?",
      "Its file is deleted and answers 404 at once. A channel that points at it returns to its previous "
        + "version whose file is intact.\(DeliveryText.effect(from: state, to: after)) "
        + "This cannot be undone.",
      button: "Withdraw", action: ModelPages.link(model) + "/withdraw",
      fields: ["version": String(version.number)], seen: SeenRevision(state), destroys: true,
      back: ModelPages.link(model))
    return try await frame.answer(page.with(warning(from: model, to: after, call)), call, .models)
  }

  @Sendable private func askPoint(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let channel = try call.field("channel")
    let version = try call.number("version")
    let change = { (model: HostModel) throws(HostError) -> HostModel in
      var after = model
      try after.point(channel, at: version)
      return after
    }
    return try await ask(call, change) { state, after in
      let isSame = state.model.map { $0.channels == after.channels && $0.rollout == after.rollout } ?? false
      let question =
        isSame
        ? "The channel already points at version \(version)."
        : DeliveryText.change(channel, from: state, to: after)
      return Page.confirmation(
        "Point \(channel) at version \(version)?", question, button: "Point",
        action: ModelPages.link(after) + "/channel",
        fields: ["channel": channel, "version": String(version)], seen: SeenRevision(state),
        back: ModelPages.link(after))
    }
  }

  /// Shows the confirmation of a change, unless it would give a damaged file to devices.
  /// - Parameters:
  ///   - call: The request.
  ///   - change: Returns the model after the change.
  ///   - page: Makes the page from the state before the change and the model after it.
  /// - Returns: The response with the page.
  /// - Throws: Any error of `change`; `damaged` if the disk has changed a file that devices would get.
  func ask(
    _ call: ConsoleCall, _ change: (HostModel) throws(HostError) -> HostModel,
    _ page: (_ state: DeliveryState, _ after: HostModel) -> Page
  ) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    let after = try change(model)
    try await models.checkFiles(from: model, to: after, actor: call.session.identity.name)
    let page = page(experiments.deliveryState(of: model), after)
    return try await frame.answer(page.with(warning(from: model, to: after, call)), call, .models)
  }

  /// Returns that a change gives devices a stable version again whose file is damaged.
  private func warning(
    from before: HostModel, to after: HostModel, _ call: ConsoleCall
  ) async -> String? {
    guard after.returnsToStable(since: before) else { return nil }
    return await models.stableWarning(of: after, actor: call.session.identity.name)
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
      let (change, seen) = (try make(call), experiments.check(call.seen, of: model.name))
      let made = try await models.delivery(model.id, actor: call.session.identity.name, action: action) {
        (model) throws(HostError) in
        try seen(model)
        try change(&model)
      }
      // The page after it shows the damage.
      await models.stableWarning(after: made, actor: call.session.identity.name)
      return frame.redirect(ModelPages.link(model), done: notice)
    }
  }

  @Sendable private func withdraw(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishModels)
    let model = try models.model(call.path("model"))
    let number = try call.number("version")
    // Called again once files have been read, which may be damaged since the page was opened.
    let seen: SeenCheck = { (present) throws(HostError) in
      let damaged = models.knownDamage(of: model).subtracting([number])
      try experiments.check(call.seen, of: model.name, damaged: damaged)(present)
    }
    let made = try await models.withdraw(
      number, of: model, seen: seen, actor: call.session.identity.name)
    await models.stableWarning(after: made, actor: call.session.identity.name)
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
}
#endif
