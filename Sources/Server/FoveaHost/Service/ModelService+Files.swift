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
      throw DamagedFiles.error(sha256, known)
    }
    return blob
  }

  private func noted(_ sha256: String, _ fault: DamagedFiles.Fault) -> HostError {
    damaged.enter(sha256, fault)
    return DamagedFiles.error(sha256, fault)
  }

  /// Returns the damaged files of versions known so far, without those repaired since.
  package func damagedFiles() -> [String: DamagedFiles.Fault] {
    for (sha256, fault) in damaged.all {
      guard let size = catalogue.size(of: sha256) else {
        damaged.clear(sha256)
        continue
      }
      if !fault.needsReading, (try? blobs.open(sha256))?.size == size { damaged.clear(sha256) }
    }
    return damaged.all
  }
}
#endif
