// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostService {
  /// Reads everything into memory, and resumes interrupted work.
  func readAll() async throws(HostError) {
    // Resumed checks need the keys that sent the files.
    authority.replace(try await models.metadata.keys())
    try await models.start(authority)
    try await config.start()
    try await experiments.start()
    try await loads.start()
  }

  /// Reads into memory what other nodes have changed: the keys first, whatever else can be read.
  /// - Returns: The first error of what cannot be decoded, once everything else is in memory; nil if there is
  ///   none.
  /// - Throws: Any error of the database.
  @discardableResult
  static func readChanges(
    _ models: ModelService, _ config: ConfigService, _ experiments: ExperimentService, _ authority: Authority
  ) async throws(HostError) -> HostError? {
    let catalogue = models.catalogue.known(project: models.project)
    let known = KnownState(
      models: catalogue.revisions, configs: config.board.numbers, experiments: experiments.board.revisions)
    let stored = try await models.metadata.changes(of: models.project, besides: known)
    authority.replace(stored.keys)
    models.sent.recheck()
    var faults = [stored.keyFault].compactMap(\.self)
    func enter<Part>(
      _ part: Result<Part, HostError>, _ body: (Part) throws(HostError) -> Void
    ) {
      do throws(HostError) { try body(part.get()) } catch { faults.append(error) }
    }
    enter(stored.models) { models.enter($0, besides: catalogue) }
    enter(stored.configs) { (configs) throws(HostError) in try config.enter(configs) }
    enter(stored.experiments) { (changed) throws(HostError) in try experiments.enter(changed) }
    return faults.first
  }

  /// Hears of the changes of other nodes, and does the leader's work, until its task is cancelled.
  func watch() async {
    guard let node, let database = models.metadata.shared else { return }
    let watch = NodeWatch(
      node: node, database: database, metadata: models.metadata, operations: models.operations,
      now: models.now, logger: logger
    )
    async let resuming: Void = resumeLeftChecks(of: node)
    await watch.run()
    await resuming
  }

  /// Resumes the checks of nodes that have stopped, while this one leads.
  private func resumeLeftChecks(of node: HostNode) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(60))
      guard !Task.isCancelled, node.role != .follower else { continue }
      // An outage: the next round tries again.
      try? await models.resumeLeftChecks(authority)
    }
  }
}

extension ModelService {
  /// Reads into memory the models that other nodes have changed.
  func readChanges() async throws(HostError) {
    let known = catalogue.known(project: project)
    enter(try await metadata.models(of: project, besides: known.revisions), besides: known)
  }

  /// Adds changed models to the memory, and removes those that are stored no more.
  func enter(_ stored: (changed: [HostModel], ids: Set<String>), besides known: Catalogue.Known) {
    for model in stored.changed { catalogue.enter(model, readAfter: known) }
    // A model made since then is not known, and stays.
    for id in known.revisions.keys where !stored.ids.contains(id) {
      catalogue.remove(project: project, id: id)
    }
  }
}
#endif
