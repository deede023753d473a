// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The size of a file and the time of its last change.
struct FileAge {
  let size: Int64
  let changed: Timestamp

  /// Creates the age; nil if there is no such file.
  init?(_ path: String) {
    guard let status = FileStatus(withoutFollowing: FilePath(path)), status.kind == .file else { return nil }
    size = Int64(status.size)
    changed = Timestamp(milliseconds: Int64(status.modified / 1_000_000))
  }
}

extension FolderBlobStore {
  package func all() async throws(HostError) -> [BlobInfo] {
    try await BlockingWork.run { [self] _ throws(HostError) in try list() }
  }

  @discardableResult
  package func collect(
    keeping used: Set<String>?, before time: Timestamp,
    if condition: @Sendable () async throws(HostError) -> Void
  ) async throws(HostError) -> Int64 {
    // No other host has the folder.
    try await BlockingWork.run { [self] _ throws(HostError) in
      let freed = try used.map { used throws(HostError) in try removeBlobs(keeping: used, before: time) }
      return try (freed ?? 0) + removeUploads(before: time)
    }
  }

  private func list() throws(HostError) -> [BlobInfo] {
    var blobs: [BlobInfo] = []
    try forEach { sha256, path in
      // A file removed in the meantime is left out.
      if let age = FileAge(path) {
        blobs.append(BlobInfo(sha256: sha256, size: age.size, changed: age.changed))
      }
    }
    return blobs.sorted { $0.sha256 < $1.sha256 }
  }

  /// Removes older blobs that are not in `used`; blocks.
  /// - Returns: The number of bytes freed.
  func removeBlobs(keeping used: Set<String>, before time: Timestamp) throws(HostError) -> Int64 {
    var freed: Int64 = 0
    for blob in try list() where !used.contains(blob.sha256) && blob.changed < time {
      guard let place = places.blob(blob.sha256) else { continue }
      do throws(SystemError) { try Failpoint.pass("collect.blob") } catch { throw HostError(system: error) }
      freed += removeOld(place.path, before: time)
    }
    return freed
  }

  /// Removes uploads left behind before that time; blocks.
  /// - Returns: The number of bytes freed.
  func removeUploads(before time: Timestamp) throws(HostError) -> Int64 {
    var freed: Int64 = 0
    for name in try Self.names(in: places.uploads) {
      guard let path = places.upload(name) else { continue }
      let sums: BlobSums?
      // An upload that is being written is kept.
      do throws(HostError) { sums = try register.take(name) } catch { continue }
      let size = removeOld(path, before: time)
      register.giveBack(name, FileAge(path) == nil ? nil : sums)
      freed += size
    }
    return freed
  }

  private func forEach(_ body: (_ sha256: String, _ path: String) -> Void) throws(HostError) {
    for folder in try Self.names(in: places.blobs) where folder.utf8.count == 2 {
      let path = places.blobs + "/" + folder
      guard !Self.isElsewhere(path) else { continue }
      for rest in try Self.names(in: path) {
        if let place = places.blob(folder + rest) { body(folder + rest, place.path) }
      }
    }
  }

  private static func names(in folder: String) throws(HostError) -> [String] {
    do throws(SystemError) { return try Folder.names(in: folder) } catch { throw HostError(system: error) }
  }
}
#endif
