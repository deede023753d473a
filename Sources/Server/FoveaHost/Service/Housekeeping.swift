// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Logging

/// Removes unused files, and events that nothing can change any more, once an hour.
///
/// Of the nodes of a database, the leader does so; the others remove only what no other node sees.
package struct Housekeeping: Sendable {
  let experiments: ExperimentService
  let metrics: Metrics
  let logger: Logger
  /// The host among the nodes of its database; nil if it is the only one.
  var node: HostNode?

  /// The minimum age, in seconds, of removed files and uploads, so that data in transit is not lost.
  static let grace: Double = 24 * 3600

  /// Runs until its task is cancelled.
  func run(after delay: Duration, every interval: Duration = .seconds(3600)) async {
    if delay > .zero { try? await Task.sleep(for: delay) }
    while !Task.isCancelled {
      await round()
      try? await Task.sleep(for: interval)
    }
  }

  /// Runs one round.
  func round() async {
    switch node?.role {
    case nil:
      await collect()
      await tidy()
    case .leader(let leadership):
      await collect(by: leadership)
      await tidy(by: leadership)
      await logging("Old operations could not be removed") { () throws(HostError) in
        try await experiments.models.metadata.removeOldOperations(by: leadership)
      }
    case .follower: await collectOwn()
    }
  }

  /// Removes unused files.
  func collect(by leadership: Leadership? = nil) async {
    let models = experiments.models
    let before = models.now().advanced(seconds: -Housekeeping.grace)
    await logging("Unused files could not be removed") { () throws(HostError) in
      try await models.metadata.removeObjects(before: before, by: leadership)
      let used = try await models.metadata.hashesInUse(objectsSince: before)
      models.damaged.clearUploads(except: used)
      let freed = try await models.blobs.collect(keeping: used, before: before) { () throws(HostError) in
        if let leadership { try await models.metadata.check(leadership) }
      }
      metrics.add("fovea_host_collected_bytes_total", by: Double(freed))
    }
  }

  private func collectOwn() async {
    let models = experiments.models
    let before = models.now().advanced(seconds: -Housekeeping.grace)
    await logging("Unused files could not be removed") { () throws(HostError) in
      try await models.blobs.collect(keeping: nil, before: before) { () throws(HostError) in }
    }
  }

  private func tidy(by leadership: Leadership? = nil) async {
    await logging("Old events could not be removed") { () throws(HostError) in
      try await experiments.tidy(by: leadership)
    }
  }

  private func logging(_ failure: Logger.Message, _ work: () async throws(HostError) -> Void) async {
    do throws(HostError) { try await work() } catch {
      // A host that is stopping, or fails to start, has nothing to report, nor has one that leads no more.
      guard !Task.isCancelled, !(error.cause is LeadershipEnd) else { return }
      logger.error(failure, metadata: ["error.type": "\(error.code)"])
    }
  }
}
#endif
