// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ModelService {
  /// Opens a file for sending.
  /// - Parameters:
  ///   - sha256: The name of the file.
  ///   - size: The size with which it was published or uploaded.
  /// - Returns: The file, with the expected size.
  /// - Throws: `damaged` if the stored file has changed; `unavailable`.
  package func file(_ sha256: String, size: Int64) async throws(HostError) -> any Blob {
    try await whole(sha256, size) { (blobs) async throws(HostError) in
      let blob = try await blobs.localCopy(of: sha256)
      return (blob, .file(blob))
    }
  }

  /// Returns the place from which a device reads a file.
  /// - Throws: As ``file(_:size:)``.
  package func location(of sha256: String, size: Int64) async throws(HostError) -> BlobLocation {
    try await whole(sha256, size) { (blobs) async throws(HostError) in
      let place = try await blobs.location(of: sha256)
      return (place, place)
    }
  }

  /// Returns a file that has the expected size and is not known to be damaged.
  private func whole<File: Sendable>(
    _ sha256: String, _ size: Int64,
    _ find: @Sendable (any BlobStore) async throws(HostError) -> (file: File, place: BlobLocation)
  ) async throws(HostError) -> File {
    let found: (file: File, place: BlobLocation)
    do throws(HostError) { found = try await find(blobs) } catch {
      // A version withdrawn at this moment is not damaged.
      guard catalogue.size(of: sha256) != nil else { throw error }
      throw error.code == .damaged ? noted(sha256, .content) : notedAbsence(sha256, error)
    }
    guard found.place.size == size else { throw noted(sha256, .size) }
    guard let known = damaged.all[sha256] else { return found.file }
    // The damaged file may have been replaced: it is read once, or was read by the store that has it.
    if case .file(let blob) = found.place, !blob.isVerified {
      guard let mark = DamagedFiles.FileMark(blob), damaged.beginsReading(sha256, mark) else {
        throw DamagedFiles.error(sha256, known, use(of: sha256))
      }
      // Also once the request that found it has ended: it is not read again.
      try await Task { () -> Result<Void, HostError> in
        do throws(HostError) { return .success(try await compare(blob, sha256, size)) } catch {
          return .failure(error)
        }
      }.value.get()
    }
    damaged.clear(sha256)
    return found.file
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
    do throws(HostError) { blob = try await blobs.localCopy(of: sha256) } catch {
      throw notedAbsence(sha256, error)
    }
    guard blob.size == size else { throw noted(sha256, .size) }
    if !blob.isVerified { try await compare(blob, sha256, size) }
    damaged.clear(sha256)
    return blob
  }

  /// Reads an open file, and compares its size and content with its name.
  /// - Throws: `damaged`, `cancelled`.
  private func compare(_ blob: any Blob, _ sha256: String, _ size: Int64) async throws(HostError) {
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
  }

  /// Removes the bytes of an unfinished upload.
  func removeUpload(_ name: String) async {
    do throws(HostError) { try await blobs.upload(resuming: name).cancel() } catch {
      // A request that is writing to it removes the bytes when its part ends, and those that cannot be read
      // now are removed after a day.
    }
  }

  private func noted(
    _ sha256: String, _ fault: DamagedFiles.Fault, successor: BlobFault? = nil
  ) -> HostError {
    let use = use(of: sha256)
    damaged.enter(sha256, fault, use)
    return DamagedFiles.error(sha256, fault, use, successor: successor)
  }

  /// Notes a file that is missing, or whose name something else has; returns other errors unchanged.
  private func notedAbsence(_ sha256: String, _ error: HostError) -> HostError {
    switch BlobFault(error) {
    case nil: error
    case .missing: noted(sha256, .missing)
    case let successor: noted(sha256, .replaced, successor: successor)
    }
  }

  private func use(of sha256: String) -> DamagedFiles.Use {
    catalogue.serves(sha256) ? .published : .uploaded
  }

  /// Returns the damaged files known so far, without those removed since.
  func knownDamagedFiles() -> [String: DamagedFiles.Fault] {
    // A withdrawn version is not damaged; an upload counts until it is repeated or removed.
    for sha256 in damaged.all.keys
    where catalogue.size(of: sha256) == nil && damaged.use(of: sha256) == .published {
      damaged.clear(sha256)
    }
    return damaged.all
  }

  /// Returns the damaged files known so far, without those repaired or removed since: files that something
  /// has written to are read.
  package func damagedFiles() async -> [String: DamagedFiles.Fault] {
    for sha256 in knownDamagedFiles().keys {
      guard let size = catalogue.size(of: sha256) else { continue }
      // Clears a file that is whole again.
      _ = try? await location(of: sha256, size: size)
    }
    return damaged.all
  }

  /// Whether the file of a version is damaged.
  package var hasDamagedVersions: Bool {
    get async { await damagedFiles().keys.contains(where: catalogue.serves) }
  }
}
#endif
