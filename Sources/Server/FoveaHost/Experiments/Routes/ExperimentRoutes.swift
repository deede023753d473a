// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The routes for the commands of `fovea host experiment`.
struct ExperimentRoutes: Sendable {
  let experiments: ExperimentService
  let access: Access

  func add(to router: Router<HTTPContext>) {
    let group = router.group("v1/host/projects/{project}/experiments")
    group.get(use: list)
    group.post(use: start)
    group.get("{experiment}", use: show)
    group.get("{experiment}/report", use: report)
    group.put("{experiment}/weights", use: setWeights)
    group.put("{experiment}/overrides", use: setOverride)
    group.post("{experiment}:pause") { request, context in
      try await change(request, context) { id, actor in try await experiments.pause(id, actor: actor) }
    }
    group.post("{experiment}:resume") { request, context in
      try await change(request, context) { id, actor in try await experiments.resume(id, actor: actor) }
    }
    group.post("{experiment}:stop") { request, context in
      try await change(request, context) { id, actor in try await experiments.stop(id, actor: actor) }
    }
    group.post("{experiment}:rollout", use: rollOut)
  }

  // MARK: Read

  @Sendable private func list(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .readModels)
    return try await access.bodies.list(for: identity) { json in
      json.members(of: HostAnswer.Experiments(experiments: experiments.all.map { reply($0) }))
    }
  }

  @Sendable private func show(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.native(request, context, scope: .readModels)
    return answer(try experiments.experiment(id(context)))
  }

  @Sendable private func report(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.native(request, context, scope: .readModels)
    let report = try await experiments.report(id(context))
    return .json { json in
      json.members(of: HostAnswer.Experiment(report.experiment, model: report.model))
      json.members(of: HostAnswer.Report(report))
    }
  }

  // MARK: Change

  @Sendable private func start(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .writeExperiments)
    let draft = try await access.bodies.checked(ExperimentDraft.self, request, of: identity)
    try access.recheck(identity)
    return answer(try await experiments.start(draft, actor: identity.name))
  }

  @Sendable private func setWeights(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .writeExperiments)
    let weights = try await access.bodies.checked(HostRequest.Weights.self, request, of: identity).weights
    try access.recheck(identity)
    return answer(try await experiments.setWeights(weights, of: id(context), actor: identity.name))
  }

  @Sendable private func setOverride(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .writeExperiments)
    let body = try await access.bodies.checked(HostRequest.Override.self, request, of: identity)
    try access.recheck(identity)
    return answer(
      try await experiments.setOverride(
        body.variant, unit: body.unit, of: id(context), actor: identity.name))
  }

  /// All devices get the winner, so the key must be allowed to publish.
  @Sendable private func rollOut(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .writeExperiments)
    try identity.require(.publishModels)
    let variant = try await access.bodies.checked(HostRequest.Winner.self, request, of: identity).variant
    try access.recheck(identity)
    return answer(try await experiments.rollOut(variant, of: id(context), actor: identity.name))
  }

  private func change(
    _ request: Request, _ context: HTTPContext,
    _ body: (_ id: String, _ actor: String) async throws -> Experiment
  ) async throws -> Response {
    let identity = try await access.native(request, context, scope: .writeExperiments)
    try await request.checkNoMembers()
    try access.recheck(identity)
    let experiment = try await body(id(context), identity.name)
    // The file of the stable version is read after a change that is not refused for its damage.
    return answer(
      experiment, warning: await experiments.stableWarning(without: experiment, actor: identity.name))
  }

  /// Returns the id of the experiment in the path.
  /// - Throws: `invalid`.
  private func id(_ context: HTTPContext) throws(HostError) -> String {
    let id = context.parameters.get("experiment").flatMap { PercentText.decode($0) } ?? ""
    guard HostName.isExperiment(id) else {
      throw .invalidArgument(
        "\(HostName.shown(id)) is not the id of an experiment, which has 1 to 22 lower-case letters, "
          + "digits and '-'"
      )
    }
    return id
  }

  private func answer(_ experiment: Experiment, warning: String? = nil) -> Response {
    var answer = reply(experiment, isWhole: true)
    answer.warning = warning
    return .json { [answer] in $0.members(of: answer) }
  }

  private func reply(_ experiment: Experiment, isWhole: Bool = false) -> HostAnswer.Experiment {
    HostAnswer.Experiment(
      experiment, model: experiment.model.flatMap(experiments.modelName), isWhole: isWhole)
  }
}
#endif
