// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The routes for the commands of `fovea host` other than publishing: channels, rollouts.
struct NativeRoutes: Sendable {
  let models: ModelService
  let experiments: ExperimentService
  let access: Access
  let loads: LoadService
  /// Returns a URL of a version's file and its expiry.
  let address: @Sendable (ModelVersion) -> (url: String, expires: Timestamp)

  func add(to router: Router<HTTPContext>) {
    let group = router.group("v1/host/projects/{project}/models")
    group.get(use: list)
    group.get("{model}", use: show)
    group.get("{model}/history", use: history)
    group.get("{model}/versions/{version}", use: version)
    group.post("{model}/versions/{version}:withdraw", use: withdraw)
    group.put("{model}/channels/{channel}", use: point)
    group.put("{model}/rollout", use: rollOut)
    group.post("{model}:rollback", use: rollBack)
    group.delete("{model}", use: delete)
  }

  private func name(_ context: HTTPContext) throws(HostError) -> String { try NativeRoutes.name(context) }

  /// Returns the name of the model in the path.
  /// - Throws: `invalid`.
  static func name(_ context: HTTPContext) throws(HostError) -> String {
    guard let name = context.parameters.get("model").flatMap({ PercentText.decode($0) }),
      HostName.isName(name) || name.isSHA256
    else {
      throw .invalidArgument("The name of a model is 1 to 32 letters, digits, '_' or '-'")
    }
    return name
  }

  /// Returns the model in the path.
  /// - Throws: `invalid`; `not-found`, with the nearest name.
  private func model(_ context: HTTPContext) throws(HostError) -> HostModel {
    try models.model(name(context), suggests: true)
  }

  /// Returns the number of the version in the path.
  /// - Throws: `invalid`.
  private func number(_ context: HTTPContext) throws(HostError) -> Int {
    guard let number = context.parameters.get("version").flatMap({ Int($0) }), number > 0 else {
      throw .invalidArgument("A version is a whole number from 1")
    }
    return number
  }

  // MARK: Read

  @Sendable private func list(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .readModels)
    return try await access.bodies.list(for: identity) { [models] json in
      let all = models.catalogue.models(project: models.project).sorted { $0.name < $1.name }
      json.members(of: HostAnswer.Models(models: all.map { HostAnswer.Model($0) }))
    }
  }

  @Sendable private func show(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .readModels)
    let model = try model(context)
    let counts = loads.counts(of: model.id)
    return try await access.bodies.list(for: identity) { json in
      let versions = model.versions.map { HostAnswer.Version($0, counts[$0.number] ?? LoadCount()) }
      json.members(of: HostAnswer.Model(model, versions: versions))
    }
  }

  @Sendable private func version(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .readModels, query: ["check"])
    let check = try RequestQuery(of: request)["check"] ?? "false"
    guard ["true", "false"].contains(check) else {
      throw HostError.invalidArgument("'check' is true or false")
    }
    let model = try model(context)
    let version = try model.usableVersion(number(context))
    let (url, expires) = address(version)
    var file = HostAnswer.File(
      model: model.name, version: version.number, sha256: version.sha256, size: Int(version.size), url: url,
      expires: expires.text)
    if check == "true" {
      do throws(HostError) { try await models.checkFile(of: version, actor: identity.name) } catch {
        guard error.code == .damaged else { throw error }
        file.damaged = true
      }
    }
    return .json { [file] in $0.members(of: file) }
  }

  @Sendable private func history(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .readModels, query: ["limit"])
    let text = try RequestQuery(of: request)["limit"] ?? "100"
    guard let limit = Int(text), (1...1000).contains(limit) else {
      throw HostError.invalidArgument("'limit' is a whole number from 1 to 1,000")
    }
    // A deleted model still has a history.
    let name = try name(context)
    let known = models.catalogue.model(project: models.project, named: name)?.name
    let entries = try await models.metadata.audit(
      project: models.project, model: known ?? name, limit: limit)
    if entries.isEmpty, known == nil { _ = try model(context) }
    return try await access.bodies.list(for: identity) { json in
      json.members(of: HostAnswer.History(entries: entries.map { HostAnswer.History.Entry($0) }))
    }
  }

  // MARK: Change

  @Sendable private func point(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .publishModels)
    let body = try await access.bodies.checked(HostRequest.Version.self, request, of: identity)
    let text = context.parameters.get("channel") ?? ""
    let channel = PercentText.decode(text) ?? text
    return try await change(context, identity, "channel.set") { (model) throws(HostError) in
      try model.point(channel, at: body.version)
    }
  }

  @Sendable private func rollOut(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .publishModels)
    let body = try await access.bodies.checked(HostRequest.Rollout.self, request, of: identity)
    switch try body.change() {
    case .halt(let version):
      return try await change(context, identity, "rollout.halt") { (model) throws(HostError) in
        try model.haltRollout(of: version)
      }
    case .finish(let version):
      return try await change(context, identity, "rollout.finish") { (model) throws(HostError) in
        try model.finishRollout(of: version)
      }
    case .share(let version, let microPercent):
      return try await change(context, identity, "rollout.set") { (model) throws(HostError) in
        try model.rollOut(version, microPercent: microPercent)
      }
    }
  }

  @Sendable private func rollBack(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .publishModels)
    let body = try await access.bodies.checked(HostRequest.Rollback.self, request, of: identity)
    let channel = body.channel ?? HostModel.stable
    let (model, warning) = try await changed(context, identity, "rollback") { (model) throws(HostError) in
      _ = try model.rollBack(channel)
    }
    let made = HostAnswer.Pointed(
      model: model.name, channel: channel, version: model.channels[channel] ?? 0, warning: warning)
    return .json { $0.members(of: made) }
  }

  @Sendable private func withdraw(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .publishModels)
    try await request.checkNoMembers()
    let number = try number(context)
    try access.recheck(identity)
    let made = try await models.withdraw(number, of: model(context), actor: identity.name)
    var answer = HostAnswer.Model(made.model)
    if !made.damaged.isEmpty { answer.damaged = made.damaged }
    answer.warning = await models.stableWarning(after: made, actor: identity.name)
    return .json { [answer] in $0.members(of: answer) }
  }

  @Sendable private func delete(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .writeModels)
    try await request.checkNoMembers()
    try access.recheck(identity)
    try await experiments.deleteModel(name(context), actor: identity.name)
    return .json { _ in }
  }

  private func change(
    _ context: HTTPContext, _ identity: Identity, _ action: String,
    _ body: @escaping @Sendable (inout HostModel) throws(HostError) -> Void
  ) async throws -> Response {
    let changed = try await changed(context, identity, action, body)
    var answer = HostAnswer.Model(changed.model)
    answer.warning = changed.warning
    return .json { [answer] in $0.members(of: answer) }
  }

  private func changed(
    _ context: HTTPContext, _ identity: Identity, _ action: String,
    _ body: @escaping @Sendable (inout HostModel) throws(HostError) -> Void
  ) async throws(HostError) -> (model: HostModel, warning: String?) {
    let id = try model(context).id
    let keyCheck = access.authority.keyCheck(of: identity)
    let made = try await models.delivery(id, actor: identity.name, action: action) {
      (model) throws(HostError) in
      try keyCheck()
      try body(&model)
    }
    return (made.model, await models.stableWarning(after: made, actor: identity.name))
  }
}
#endif
