// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The operations on experiments that routes and pages call: each change is one transaction with an audit
/// row.
///
/// A change with a check `seen` is made only in the state that the check accepts.
package struct ExperimentService: Sendable {
  package let models: ModelService
  package let board = ExperimentBoard()

  package init(models: ModelService) { self.models = models }

  package var store: MetadataStore { models.metadata }
  package var project: String { models.project }
  package var now: Now { models.now }

  /// Reads all experiments into memory.
  package func start() async throws(HostError) {
    try enter(await store.experiments(project: project))
  }

  /// Reads stored experiments into memory.
  func enter(_ experiments: [Experiment]) throws(HostError) {
    for experiment in experiments { board.enter(try Self.entry(experiment)) }
  }

  /// Every experiment, in the order of creation.
  package var all: [Experiment] { board.all.map(\.experiment) }

  /// - Throws: `not-found`.
  package func experiment(_ id: String) throws(HostError) -> Experiment {
    guard let experiment = board.experiment(id) else { throw HostError.unknownExperiment(id) }
    return experiment
  }

  /// Starts an experiment, or keeps it as a draft.
  /// - Throws: `invalid` with the path of a member; `already-exists`, `not-found`, `precondition`; `damaged`
  ///   if the disk has changed the file of a version that devices would get.
  package func start(
    _ draft: ExperimentDraft, seen: SeenExperimentCheck? = nil, actor: String
  ) async throws(HostError) -> Experiment {
    try await checkFiles(from: nil, to: check(draft), actor: actor)
    let model = draft.model.flatMap { models.catalogue.model(project: project, named: $0) }
    var entry = models.entry(actor, draft.draft == true ? "experiment.draft" : "experiment.start")
    entry.model = model?.name
    let (time, seed) = (now(), ModelService.newSeed())
    let change = try await store.addExperiment(project: project, model: model?.id, entry: entry) {
      [project]
      (others, model) throws(HostError) in
      let experiment = try draft.experiment(
        project: project, among: others, model: model, seed: seed, at: time)
      try seen?(experiment, model)
      model?.experiment = ModelExperiment(
        id: experiment.id, versions: experiment.variants.compactMap(\.version))
      return experiment
    }
    return try enter(change)
  }

  /// Returns the experiment that a draft would start, without starting it.
  /// - Throws: As ``start(_:seen:actor:)``, without `damaged`.
  func check(_ draft: ExperimentDraft) throws(HostError) -> Experiment {
    let model = draft.model.flatMap { models.catalogue.model(project: project, named: $0) }
    return try draft.experiment(project: project, among: all, model: model, seed: "", at: now())
  }

  /// Starts a draft, or resumes after a pause; does nothing if the experiment is running.
  /// - Throws: `not-found`; `precondition` if the experiment has ended, its model has no stable version,
  ///   without which no device gets the model, or another experiment that is rolled out sets one of its
  ///   parameters; `damaged` as ``start(_:seen:actor:)``.
  package func resume(
    _ id: String, seen: SeenExperimentCheck? = nil, actor: String
  ) async throws(HostError) -> Experiment {
    let time = now()
    let present = try experiment(id, seen)
    guard present.state != .running else { return present }
    return try await change(id, seen, actor, "experiment.resume") { (experiment, model) throws(HostError) in
      try experiment.resume(at: time, on: model)
    }
  }

  /// Pauses an experiment; does nothing if it is paused.
  /// - Throws: `not-found`; `precondition` if it is neither running nor paused.
  package func pause(
    _ id: String, seen: SeenExperimentCheck? = nil, actor: String
  ) async throws(HostError) -> Experiment {
    let time = now()
    let present = try experiment(id, seen)
    guard present.state != .paused else { return present }
    return try await change(id, seen, actor, "experiment.pause") { (experiment, _) throws(HostError) in
      try experiment.pause(at: time)
    }
  }

  /// Stops an experiment, so that all devices get the stable version; does nothing if it is stopped.
  /// - Throws: `not-found`; `precondition` if it is on a model and was rolled out.
  package func stop(
    _ id: String, seen: SeenExperimentCheck? = nil, actor: String
  ) async throws(HostError) -> Experiment {
    let time = now()
    let present = try experiment(id, seen)
    guard present.state != .stopped else { return present }
    return try await change(id, seen, actor, "experiment.stop") { (experiment, model) throws(HostError) in
      try experiment.stop(at: time)
      model?.release(experiment)
    }
  }

  /// Deletes a model with its versions, and stops its experiment.
  /// - Throws: `not-found`, with the nearest name; `precondition` if its experiment cannot be stopped.
  package func deleteModel(_ id: String, actor: String) async throws(HostError) {
    if let stopped = try await models.delete(id, actor: actor) { board.enter(try Self.entry(stopped)) }
  }

  /// Finishes an experiment and rolls a variant out to all: `stable` points at its version, or its
  /// parameters reach every app that matches the condition, until the experiment is stopped.
  /// - Throws: `not-found` for an unknown variant; `precondition` for a draft, after the end, and if another
  ///   experiment gives apps values of the variant's parameters; `damaged` if the disk has changed the file
  ///   of its version.
  package func rollOut(
    _ variant: String, of id: String, seen: SeenExperimentCheck? = nil, actor: String
  ) async throws(HostError) -> Experiment {
    let time = now()
    return try await change(id, seen, actor, "experiment.rollout") { (experiment, model) throws(HostError) in
      let winner = try experiment.rollOut(variant, at: time)
      model?.release(experiment)
      guard let version = winner.version else { return }
      guard model != nil else {
        throw HostError(
          .precondition, "The model of the experiment '\(id)' was deleted", remedy: "Stop the experiment")
      }
      try model?.point(HostModel.stable, at: version)
    }
  }

  /// Changes the weights of the variants.
  /// - Throws: `not-found`, `invalid`; `precondition` after the end; `damaged` if the disk has changed the
  ///   file of a variant that other units get, too.
  package func setWeights(
    _ weights: [Int], of id: String, seen: SeenExperimentCheck? = nil, actor: String
  ) async throws(HostError) -> Experiment {
    let time = now()
    return try await change(id, seen, actor, "experiment.weights") { (experiment, _) throws(HostError) in
      try experiment.setWeights(weights, at: time)
    }
  }

  /// Sets the variant of a test device; nil restores the assigned one.
  /// - Throws: `not-found`, `invalid`; `precondition` for too many, and after the end; `conflict` if another
  ///   experiment of the layer has it, too, and sets one of the parameters; `damaged` if the disk has changed
  ///   the file of the variant.
  package func setOverride(
    _ variant: String?, unit: String, of id: String, seen: SeenExperimentCheck? = nil, actor: String
  ) async throws(HostError) -> Experiment {
    try await change(id, seen, actor, "experiment.override") { (experiment, _) throws(HostError) in
      try experiment.setOverride(variant, of: unit)
    }
  }

  /// Returns the results of an experiment so far.
  package func report(_ id: String) async throws(HostError) -> ExperimentReport {
    let experiment = try experiment(id)
    let sums = try await store.sums(project: project, experiment: id)
    return try ExperimentReport(experiment, sums, model: experiment.model.flatMap(modelName), at: now())
  }

  /// Returns the name of a model by its id; nil if it was deleted.
  package func modelName(_ id: String) -> String? {
    models.catalogue.model(project: project, named: id)?.name
  }

  /// Returns the model whose versions an experiment compares; nil for parameters, and if it was deleted.
  func model(of experiment: Experiment) -> HostModel? {
    experiment.model.flatMap { models.catalogue.model(project: project, named: $0) }
  }

  /// Counts events that apps have logged.
  /// - Returns: The number of counted events, and the reasons why others were refused.
  package func count(
    _ events: [AppEvent]
  ) async throws(HostError) -> (tally: EventTally, refused: [EventRefusal]) {
    var intake = EventIntake(project: project, experiments: all, now: now())
    for event in events { intake.take(event) }
    return (try await store.count(intake.batch), intake.refused)
  }

  /// Removes data that no event can change any more.
  /// - Parameter leadership: The right of the node to do so; nil for the only host of the database.
  /// - Throws: `conflict` if another node leads now; any error of the store.
  package func tidy(by leadership: Leadership? = nil) async throws(HostError) {
    let time = now()
    let ended = all.filter { experiment in
      let last = experiment.ended?.advanced(
        seconds: Double(experiment.metric.window) + EventIntake.latest + 86_400)
      return last.map { $0 < time } ?? false
    }
    try await store.tidyEvents(
      project: project, before: EventIntake.generation(at: time) - 1, ended: ended.map(\.id),
      by: leadership)
  }

  /// Returns that the disk has changed the file of the stable version that the units of an experiment get;
  /// nil while it assigns variants, for parameters, and as ``ModelService/stableWarning(of:actor:)``.
  @discardableResult
  func stableWarning(without experiment: Experiment, actor: String) async -> String? {
    guard experiment.state == .paused || experiment.state == .stopped, let model = model(of: experiment)
    else {
      return nil
    }
    return await models.stableWarning(of: model, actor: actor)
  }

  /// Reads the files of the versions that a change gives to further units; does nothing for parameters, and
  /// if the model was deleted.
  /// - Parameters:
  ///   - before: The experiment before the change; nil for a new one.
  ///   - after: The experiment after it.
  ///   - actor: The name of the key, which takes turns with others.
  /// - Throws: `damaged` if the disk has changed one; `rate-limited` for a key at its limit of reads;
  ///   `not-found`, `cancelled`, `unavailable`.
  func checkFiles(from before: Experiment?, to after: Experiment, actor: String) async throws(HostError) {
    guard let model = model(of: after) else { return }
    for number in Set(after.variantsGained(since: before).compactMap(\.version)).sorted() {
      try await models.checkFile(of: model.version(number), actor: actor)
    }
  }

  private func experiment(_ id: String, _ seen: SeenExperimentCheck?) throws(HostError) -> Experiment {
    let present = try experiment(id)
    try seen?(present, model(of: present))
    return present
  }

  /// Changes an experiment once the files that its units get as a result have been read.
  ///
  /// `body` is called twice, and depends only on the experiment and its model.
  private func change(
    _ id: String, _ seen: SeenExperimentCheck?, _ actor: String, _ action: String,
    _ body: @escaping @Sendable (inout Experiment, inout HostModel?) throws(HostError) -> Void
  ) async throws(HostError) -> Experiment {
    let before = try experiment(id, seen)
    var (after, copy) = (before, model(of: before))
    try body(&after, &copy)
    try await checkFiles(from: before, to: after, actor: actor)
    var entry = models.entry(actor, action)
    entry.model = copy?.name
    let change = try await store.changeExperiment(project: project, id: id, entry: entry) {
      (experiment, all, model) throws(HostError) in
      try seen?(experiment, model)
      let former = experiment
      try body(&experiment, &model)
      if experiment.state != former.state { try experiment.checkParameters(among: all) }
      try experiment.checkTesters(since: former, among: all)
    }
    return try enter(change)
  }

  private func enter(_ change: ExperimentChange) throws(HostError) -> Experiment {
    board.enter(try Self.entry(change.experiment))
    if let model = change.model { models.catalogue.enter(model) }
    return change.experiment
  }

  /// The database holds only conditions that were checked when they arrived.
  private static func entry(_ experiment: Experiment) throws(HostError) -> ExperimentBoard.Entry {
    guard let text = experiment.condition else {
      return ExperimentBoard.Entry(experiment: experiment, condition: nil)
    }
    do throws(ExpressionFailure) {
      return ExperimentBoard.Entry(experiment: experiment, condition: try ConfigExpression(text))
    } catch {
      throw HostError(
        .unavailable, "The condition of the experiment '\(experiment.id)' cannot be read: \(error.text)",
        remedy: "Use the fovea-server that wrote it, or a newer one")
    }
  }
}

extension HostModel {
  /// Releases the model from an experiment that has ended.
  fileprivate mutating func release(_ ended: Experiment) {
    if experiment?.id == ended.id { experiment = nil }
  }
}
#endif
