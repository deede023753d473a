// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Logging

/// Removes unused files, and events that nothing can change any more, once an hour.
package struct Housekeeping: Sendable {
  let experiments: ExperimentService
  let metrics: Metrics
  let logger: Logger

  /// The minimum age, in seconds, of removed files and uploads, so that data in transit is not lost.
  static let grace: Double = 24 * 3600

  /// Runs until its task is cancelled.
  func run(after delay: Duration, every interval: Duration = .seconds(3600)) async {
    if delay > .zero { try? await Task.sleep(for: delay) }
    while !Task.isCancelled {
      await collect()
      await tidy()
      try? await Task.sleep(for: interval)
    }
  }

  /// Runs one round.
  func collect() async {
    let models = experiments.models
    let before = models.now().advanced(seconds: -Housekeeping.grace)
    do throws(HostError) {
      try await models.metadata.removeObjects(before: before)
      let used = try await models.metadata.hashesInUse(objectsSince: before)
      models.damaged.clearUploads(except: used)
      let freed = try await models.blobs.collect(keeping: used, before: before)
      metrics.add("fovea_host_collected_bytes_total", by: Double(freed))
    } catch {
      // A host that is stopping, or fails to start, has nothing to report.
      guard !Task.isCancelled else { return }
      logger.error(
        "Unused files could not be removed", metadata: ["error.type": "\(error.code)"])
    }
  }

  private func tidy() async {
    do throws(HostError) { try await experiments.tidy() } catch {
      guard !Task.isCancelled else { return }
      logger.error("Old events could not be removed", metadata: ["error.type": "\(error.code)"])
    }
  }
}
#endif
