// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// Reads every published file again and again, slowly, and compares it with its name, to find a damaged file
/// before a device gets it.
struct Scrub: Sendable {
  /// The speed and frequency of reading.
  struct Pace: Sendable {
    /// The wait before the first round.
    var rest = Duration.seconds(60)
    /// The pause after each part of ``Scrub/part`` bytes: at most 10 MiB are read per second.
    var pause = Duration.milliseconds(100)
    /// The wait between two rounds.
    var interval = Duration.seconds(86_400)
  }

  static let part = 1 << 20

  let models: ModelService
  let metrics: Metrics
  var pace = Pace()

  /// Runs until its task is cancelled.
  func run() async {
    try? await Task.sleep(for: pace.rest)
    while !Task.isCancelled {
      await round()
      try? await Task.sleep(for: pace.interval)
    }
  }

  /// Reads each file once.
  func round() async {
    for (sha256, size) in models.catalogue.served.sorted(by: { $0.key < $1.key }) {
      guard !Task.isCancelled else { return }
      await check(sha256, size)
    }
  }

  private func check(_ sha256: String, _ size: Int64) async {
    // Records a wrong size or a missing file.
    let blob: any Blob
    do throws(HostError) { blob = try await models.file(sha256, size: size) } catch {
      guard models.damaged.all[sha256]?.needsReading == true,
        let again = try? await models.blobs.localCopy(of: sha256)
      else { return }
      blob = again
    }
    let found: FinishedBlob?
    do throws(HostError) { found = try await sums(of: blob) } catch {
      if models.catalogue.size(of: sha256) != nil { models.damaged.enter(sha256, .unreadable) }
      return
    }
    guard let found else { return }
    // A version withdrawn while it was read has no file any more.
    guard models.catalogue.size(of: sha256) != nil else { return }
    guard found.sha256 != sha256 else { return models.damaged.clear(sha256) }
    // Reading takes a while, and continues in the old file if it is published again meanwhile.
    guard (try? await models.blobs.isIntact(sha256)) == false else { return }
    models.damaged.enter(sha256, .content)
  }

  /// Returns the checksums of a file; nil if the task is cancelled, or the file was truncated meanwhile.
  /// - Throws: `unavailable` if the disk cannot read it.
  private func sums(of blob: any Blob) async throws(HostError) -> FinishedBlob? {
    var sums = BlobSums()
    while sums.size < blob.size {
      guard !Task.isCancelled else { return nil }
      let offset = sums.size
      let part = try await BlockingWork.run { _ throws(HostError) -> [UInt8] in
        var bytes = [UInt8](repeating: 0, count: Scrub.part)
        let count = try blob.read(at: offset, into: &bytes)
        return Array(bytes[..<count])
      }
      guard !part.isEmpty else { return nil }
      sums.update(part[...])
      metrics.add("fovea_host_scrubbed_bytes_total", by: Double(part.count))
      try? await Task.sleep(for: pace.pause)
    }
    return sums.finished
  }
}
#endif
