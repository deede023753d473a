// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import FoveaHTTP
package import Logging
import Synchronization

/// Counts load reports by outcome, and halts a rollout whose version does not load.
///
/// Counts are kept in memory and written every few seconds, so that a report costs no transaction; a host
/// that is killed loses the latest ones.
package final class LoadService: Sendable {
  /// The interval between writes.
  static let interval = Duration.seconds(5)
  /// The number of writes between reads of the counts of other nodes.
  private static let readInterval = 12

  private let models: ModelService
  private let metrics: Metrics
  private let logger: Logger
  /// Whether rollouts are halted.
  private let halts: Bool
  /// The bytes sent to devices, written with the reports.
  package let downloads: DownloadCounts
  private let tally = Mutex(LoadTally())

  package init(models: ModelService, metrics: Metrics, logger: Logger, halts: Bool) {
    self.models = models
    self.metrics = metrics
    self.logger = logger
    self.halts = halts
    downloads = DownloadCounts(project: models.project, store: models.metadata)
  }

  private var store: MetadataStore { models.metadata }

  /// Reads the counts that were written, by any host.
  package func start() async throws(HostError) {
    let counts = try await store.loads(project: models.project)
    tally.withLock { $0.restore(counts) }
    try await downloads.start()
  }

  /// The outcome of an attempt to load a version.
  package enum Outcome: String, Sendable, CaseIterable { case loaded, failed, left }

  /// Counts a report; halts the rollout if its version fails too often.
  ///
  /// Reports from the same device, or from the same network if there is no token, are counted once. One
  /// network cannot halt a rollout, nor keep a failing one running.
  /// - Returns: Whether it counts.
  @discardableResult
  package func count(
    _ outcome: Outcome, of version: Int, _ model: HostModel, by reporter: LoadReporter
  ) async throws(HostError) -> Bool {
    let time = models.now()
    let entry = tally.withLock { $0.enter(outcome, of: version, model, by: reporter, at: time) }
    guard halts, entry.isFailing, let run = model.rollout?.run else { return entry.counts }
    let changed = try await models.change(model.id, actor: "host", action: "rollout.halt") {
      (model) throws(HostError) in
      guard let rollout = model.rollout, rollout.run == run, !rollout.isHalted else { return }
      try model.haltRollout()
    }.model
    guard changed.revision != model.revision, changed.rollout?.isHalted == true else { return entry.counts }
    metrics.add("fovea_host_rollouts_halted_total", ["model", model.name])
    logger.warning(
      "A rollout was halted because its version fails to load",
      metadata: ["model": "\(model.name)", "version": "\(changed.rollout?.version ?? 0)"])
    return entry.counts
  }

  /// Returns the reports of devices about each version of a model.
  package func counts(of model: String) -> [Int: LoadCount] { tally.withLock { $0.versions(of: model) } }

  /// Writes new counts; those that cannot be written are kept for the next time.
  package func write() async throws(HostError) {
    try await downloads.write()
    let new = tally.withLock { $0.takeNew() }
    guard !new.isEmpty else { return }
    do throws(HostError) { try await store.addLoads(project: models.project, new) } catch {
      tally.withLock { $0.keep(new) }
      throw error
    }
  }

  /// Writes every few seconds until its task is cancelled, and then once more.
  func run() async {
    var writes = 0
    while !Task.isCancelled {
      // A cancelled sleep ends at once.
      try? await Task.sleep(for: Self.interval)
      await Task { await self.writeOrLog() }.value
      writes += 1
      guard store.shared != nil, writes.isMultiple(of: Self.readInterval), !Task.isCancelled else { continue }
      // After an error, the next one reads them.
      try? await start()
    }
  }

  private func writeOrLog() async {
    do throws(HostError) { try await write() } catch {
      logger.error("Load reports could not be written", metadata: ["error.type": "\(error.code)"])
    }
  }
}
#endif
