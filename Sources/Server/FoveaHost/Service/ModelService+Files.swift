// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ModelService {
  /// Opens a blob on a separate thread: a disk that hangs must not hold up requests that do not use it.
  func open(_ sha256: String) async throws(HostError) -> any Blob {
    let blobs = blobs
    return try await BlockingWork.run { _ throws(HostError) -> any Blob in try blobs.open(sha256) }
  }

  /// Starts an upload, also on a separate thread.
  package func beginUpload() async throws(HostError) -> any BlobUpload {
    let blobs = blobs
    return try await BlockingWork.run { _ throws(HostError) -> any BlobUpload in
      try blobs.upload(resuming: nil)
    }
  }

  /// Opens a file for sending.
  /// - Parameters:
  ///   - sha256: The name of the file.
  ///   - size: The size with which it was published or uploaded.
  /// - Returns: The file, with the expected size.
  /// - Throws: `damaged` if the file on disk has changed; `unavailable`.
  package func file(_ sha256: String, size: Int64) async throws(HostError) -> any Blob {
    let blob: any Blob
    do throws(HostError) { blob = try await open(sha256) } catch {
      // A version withdrawn at this moment is not damaged.
      guard error.code == .notFound, catalogue.size(of: sha256) != nil else { throw error }
      throw noted(sha256, .missing)
    }
    guard blob.size == size else { throw noted(sha256, .size) }
    if let known = damaged.all[sha256] {
      // The damaged file may have been replaced by a file of the right size; the next scrub reads it.
      guard known.needsReading else {
        damaged.clear(sha256)
        return blob
      }
      throw DamagedFiles.error(sha256, known, use(of: sha256))
    }
    return blob
  }

  /// Opens a file that is to become a version, and compares its size and content with what was sent.
  ///
  /// No scrub reads a file before it is published, and the sender of a file that the disk has changed is not
  /// at fault.
  /// - Parameters:
  ///   - sha256: The name of the file.
  ///   - size: The size with which it was uploaded.
  /// - Returns: The file, with the expected size and content.
  /// - Throws: `damaged` if the file on disk has changed; `cancelled`; `unavailable`.
  func intactFile(_ sha256: String, size: Int64) async throws(HostError) -> any Blob {
    let blob: any Blob
    do throws(HostError) { blob = try await open(sha256) } catch {
      throw error.code == .notFound ? noted(sha256, .missing) : error
    }
    guard blob.size == size else { throw noted(sha256, .size) }
    let found: FinishedBlob
    do throws(HostError) {
      found = try await BlockingWork.run { stop throws(HostError) -> FinishedBlob in
        try blob.sums { stop.isSet }
      }
    } catch {
      throw error.code == .cancelled ? error : noted(sha256, .unreadable)
    }
    guard found.size == size else { throw noted(sha256, .size) }
    guard found.sha256 == sha256 else { throw noted(sha256, .content) }
    damaged.clear(sha256)
    return blob
  }

  private func noted(_ sha256: String, _ fault: DamagedFiles.Fault) -> HostError {
    let use = use(of: sha256)
    damaged.enter(sha256, fault, use)
    return DamagedFiles.error(sha256, fault, use)
  }

  private func use(of sha256: String) -> DamagedFiles.Use {
    catalogue.serves(sha256) ? .published : .uploaded
  }

  /// Returns the damaged files known so far, without those repaired or removed since.
  package func damagedFiles() -> [String: DamagedFiles.Fault] {
    for (sha256, fault) in damaged.all {
      guard let size = catalogue.size(of: sha256) else {
        // A withdrawn version is not damaged; an upload counts until it is repeated or removed.
        if damaged.use(of: sha256) == .published { damaged.clear(sha256) }
        continue
      }
      if !fault.needsReading, (try? blobs.open(sha256))?.size == size { damaged.clear(sha256) }
    }
    return damaged.all
  }

  /// Whether the file of a version is damaged.
  package var hasDamagedVersions: Bool { damagedFiles().keys.contains(where: catalogue.serves) }
}
#endif
