// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Copies a host that does not serve, with all rows, files and secrets, into a new folder and, if they are
/// named, into a database and a bucket.
///
/// Each file is read in both places and compared with its SHA-256. Nothing can be served from an incomplete
/// copy; the same copy again continues it, and reads the files that are there instead of writing them.
package struct HostCopy: Sendable {
  /// The part of the files that has been copied.
  package struct Progress: Sendable, Equatable {
    package var files = 0
    /// The number of all files.
    package let allFiles: Int
    package var bytes: Int64 = 0
    /// The size of all files in bytes.
    package let allBytes: Int64

    package init(allFiles: Int, allBytes: Int64) {
      self.allFiles = allFiles
      self.allBytes = allBytes
    }
  }

  /// The content of a copy, and the problems found.
  package struct Written: Sendable, Equatable {
    package var models = 0
    /// The number of versions that can be served.
    package var versions = 0
    /// The number of files in the copy, and their size in bytes.
    package var files = 0
    package var bytes: Int64 = 0
    /// The number of files that an earlier attempt had copied.
    package var present = 0
    /// The problems that make the copy incomplete; empty if it is complete.
    package var faults: [FolderFault] = []

    package init() {}
  }

  private let source: HostFolder
  private let sourceBucket: S3Client?
  private let path: String
  private let metadata: PostgresAddress?
  private let bucket: S3Client?

  /// - Parameters:
  ///   - source: The host, which this process has open exclusively.
  ///   - sourceBucket: The client of its bucket; nil for files in its folder.
  ///   - path: The folder of the copy, which is empty, does not exist yet, or has the same copy.
  ///   - metadata: The database of the copy; nil for its folder.
  ///   - bucket: The client of the copy's bucket; nil for its folder.
  package init(
    of source: HostFolder, in sourceBucket: S3Client?, to path: String, metadata: PostgresAddress?,
    bucket: S3Client?
  ) {
    self.source = source
    self.sourceBucket = sourceBucket
    self.path = path
    self.metadata = metadata
    self.bucket = bucket
  }

  /// Copies the host.
  /// - Parameter progress: Called after each file.
  /// - Returns: The content of the copy. With problems it is not complete: no program serves from it.
  /// - Throws: `folder` if the target belongs to a host or to another copy, or the secrets cannot be read;
  ///   `cancelled` if the task is cancelled; `unavailable`, `disk-full`, `invalid`.
  package func run(progress: (Progress) -> Void = { _ in }) async throws(HostError) -> Written {
    try source.checkOutside(path)
    // A copy whose tokens nobody can sign would be useless.
    _ = try KeyRing(path: source.ring)
    let folder = (try? FilePath.resolved(source.path)) ?? source.path
    let note = CopyNote(source: folder, metadata: metadata?.text, blobs: bucket?.address.text)
    do throws(HostError) {
      return try await copy(to: CopyTarget(path, note), progress)
    } catch  where error.code == .diskFull {
      throw HostError(
        .diskFull, "There is no space left for the copy",
        remedy: "Free some space, then run the command again to continue", subject: error.subject ?? path,
        cause: error)
    }
  }

  private func copy(
    to target: CopyTarget, _ progress: (Progress) -> Void
  ) async throws(HostError) -> Written {
    if let metadata { try await target.claim(metadata) }
    let rows = try await target.snapshot(of: source.metadata)
    defer { rows.close() }
    var written = Written()
    written.faults = try await rows.problems().map { FolderFault($0) }
    guard written.faults.isEmpty else { return written }
    let files = BlobCopy(
      source: try await source.presentStore(in: sourceBucket, local: target.blobs),
      target: try await target.store(in: bucket), local: target.blobs)
    let models = try await rows.models()
    let usable = models.flatMap { $0.versions.filter(\.isUsable) }
    let damage = try await copy(
      rows.fileSizes(), needed: Set(usable.map(\.sha256)), by: files, &written, progress)
    (written.models, written.versions) = (models.count, usable.count)
    written.faults = models.flatMap { model in
      model.versions.filter(\.isUsable).compactMap { version in
        damage[version.sha256].map { FolderFault($0.text(version.number, of: model), isOfFile: true) }
      }
    }
    guard written.faults.isEmpty else { return written }
    try await target.complete(source, rows, in: metadata)
    return written
  }

  /// Copies files of these sizes.
  /// - Returns: The damage to those that a version needs.
  private func copy(
    _ sizes: [String: Int64], needed: Set<String>, by files: BlobCopy, _ written: inout Written,
    _ progress: (Progress) -> Void
  ) async throws(HostError) -> [String: BlobFault] {
    var done = Progress(allFiles: sizes.count, allBytes: sizes.values.reduce(0, +))
    var damage: [String: BlobFault] = [:]
    for (sha256, size) in sizes.sorted(by: { $0.key < $1.key }) {
      let outcome: BlobCopy.Outcome
      do throws(HostError) {
        guard !Task.isCancelled else { throw .cancelled }
        outcome = try await files.copy(sha256)
        do throws(SystemError) { try Failpoint.pass("copy.file") } catch { throw HostError(system: error) }
      } catch  where error.code == .cancelled {
        throw HostError(
          .cancelled,
          "Cancelled: \(DecimalText.grouped(done.files)) of "
            + "\(DecimalText.counted(done.allFiles, "file is", "files are")) copied",
          remedy: "Run the command again to continue", cause: error)
      }
      switch outcome {
      // Retired versions and objects may have lost their files.
      case .faulty(let fault): if needed.contains(sha256) { damage[sha256] = fault }
      case .copied, .present:
        if outcome == .present { written.present += 1 }
        written.files += 1
        written.bytes += size
      }
      done.files += 1
      done.bytes += size
      progress(done)
    }
    return damage
  }
}
#endif
