// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ModelService {
  /// Opens a blob on a thread of its own: a disk that hangs must not hold up the requests that need none.
  func open(_ sha256: String) async throws(HostError) -> any Blob {
    let blobs = blobs
    return try await BlockingWork.run { _ throws(HostError) -> any Blob in try blobs.open(sha256) }
  }

  /// Begins an upload, on a thread of its own as well.
  package func beginUpload() async throws(HostError) -> any BlobUpload {
    let blobs = blobs
    return try await BlockingWork.run { _ throws(HostError) -> any BlobUpload in
      try blobs.upload(resuming: nil)
    }
  }

  /// Opens a file for who gets it.
  /// - Parameters:
  ///   - sha256: Its name.
  ///   - size: The size that it was published or uploaded with.
  /// - Returns: The file, with the size that it has to have.
  /// - Throws: `damaged` where the disk has it no more as it was; `unavailable`.
  package func file(_ sha256: String, size: Int64) async throws(HostError) -> any Blob {
    let blob: any Blob
    do throws(HostError) { blob = try await open(sha256) } catch {
      // A version that is withdrawn at this moment is no damage.
      guard error.code == .notFound, catalogue.size(of: sha256) != nil else { throw error }
      throw noted(sha256, .missing)
    }
    guard blob.size == size else { throw noted(sha256, .size) }
    if let known = damaged.all[sha256] {
      // A file of the right size may have been put in place of the damaged one; the next scrub reads it.
      guard known == .content else {
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

  /// The files of versions that are damaged, as far as is known; those that were put right since are not among them.
  package func damagedFiles() -> [String: DamagedFiles.Fault] {
    for (sha256, fault) in damaged.all {
      guard let size = catalogue.size(of: sha256) else {
        damaged.clear(sha256)
        continue
      }
      if fault != .content, (try? blobs.open(sha256))?.size == size { damaged.clear(sha256) }
    }
    return damaged.all
  }
}
#endif
