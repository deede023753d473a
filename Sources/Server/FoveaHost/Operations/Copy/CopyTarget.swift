// SPDX-License-Identifier: Apache-2.0
#if Server
import FoundationEssentials
import FoveaCore

/// The content of `copy.json`: a copy that is not complete, so that it can be continued.
struct CopyNote: Sendable, Codable, Equatable {
  /// The path of the host's folder, with symbolic links followed.
  var source: String
  /// The addresses of the copy's database and bucket; nil for data in its folder.
  var metadata: String?
  var blobs: String?

  private static func path(in folder: String) -> String { folder + "/copy.json" }

  static func isPresent(in folder: String) -> Bool { FileStatus(FilePath(path(in: folder))) != nil }

  /// Reads the note of a folder; nil without one.
  static func read(in folder: String) throws(HostError) -> CopyNote? {
    guard isPresent(in: folder) else { return nil }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path(in: folder), limit: 1 << 14) } catch {
      throw HostError(system: error)
    }
    guard let note = try? JSONValue.decode(CopyNote.self, from: bytes) else {
      throw HostError(
        .folder, "The copy.json of \(folder.printable) cannot be read",
        remedy: "Remove the folder, and copy the host again")
    }
    return note
  }

  func write(in folder: String) throws(HostError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do throws(SystemError) {
      guard let data = try? encoder.encode(self) else { throw SystemError(EINVAL) }
      try ReplacedFile.write(Array(data) + [0x0A], to: Self.path(in: folder), isPrivate: true)
    } catch {
      throw HostError(system: error)
    }
  }

  static func remove(in folder: String) { unsafe unlink(path(in: folder)) }

  /// Removes what a process that was killed while it wrote the note has left.
  static func removePartial(in folder: String) { unsafe unlink(PartialPath.of(path(in: folder))) }

  /// The host and the places of the copy's data, for messages.
  var text: String { [source.printable, metadata, blobs].compactMap(\.self).joined(separator: ", ") }
}

/// A folder that becomes a host's once a copy is complete.
///
/// `copy.json` marks it until then. `host.json`, without which no program serves from it, is written last.
final class CopyTarget: Sendable {
  let path: String
  let blobs: FolderBlobStore
  private let lock: Int32

  /// Creates the folder, or opens the one of an interrupted copy.
  /// - Throws: `folder` if it belongs to a host, to another copy, or is not empty, or if another process
  ///   copies into it; `unavailable`, `disk-full`.
  init(_ path: String, _ note: CopyNote) throws(HostError) {
    guard FileStatus(FilePath(path + "/host.json")) == nil else {
      throw HostError(
        .folder, "\(path.printable) is the folder of a host", remedy: "Choose an empty or new folder")
    }
    let left = try CopyNote.read(in: path)
    if let left, left != note {
      throw HostError(
        .folder, "\(path.printable) holds an interrupted copy with other options: \(left.text)",
        remedy: "Repeat its options to continue it, or remove the folder")
    }
    if left == nil {
      CopyNote.removePartial(in: path)
      try HostFolder.makeEmpty(path)
    }
    do throws(SystemError) { lock = try FileLock.openFolder(path) } catch {
      guard error.isInUse else { throw HostError(system: error) }
      throw HostError(
        .folder, "Another process copies a host to this folder", remedy: "Wait until it ends", subject: path)
    }
    self.path = path
    do throws(HostError) {
      do throws(SystemError) { try Failpoint.pass("copy.folder") } catch { throw HostError(system: error) }
      // First: a folder without it could not be continued.
      if left == nil { try note.write(in: path) }
      do throws(SystemError) { try Failpoint.pass("copy.begin") } catch { throw HostError(system: error) }
      guard unsafe mkdir(path + "/keys", 0o700) == 0 || errno == EEXIST else {
        throw HostError(system: SystemError(errno))
      }
      blobs = try FolderBlobStore(folder: path)
      // Of an earlier attempt; this process is the only one that writes here.
      _ = try blobs.removeUploads(before: Timestamp(milliseconds: .max))
    } catch {
      FileLock.release(lock)
      throw error
    }
  }

  deinit { FileLock.release(lock) }

  private var file: String { path + "/host.sqlite" }

  private func removeRows() {
    for ending in ["", "-wal", "-shm"] { unsafe unlink(file + ending) }
  }

  /// Writes the rows of a host as of one moment into the folder.
  func snapshot(of metadata: MetadataStore) async throws(HostError) -> MetadataStore {
    removeRows()
    try await metadata.backUp(to: file)
    return try MetadataStore(path: file, creates: false)
  }

  /// Returns the store for the files of the copy.
  /// - Throws: `folder` if the bucket belongs to another host; `unavailable`, `invalid`.
  func store(in client: S3Client?) async throws(HostError) -> any BlobStore {
    guard let client else { return blobs }
    _ = try await HostFolder.claim(client, for: path)
    return S3BlobStore(client, local: blobs)
  }

  /// Makes the folder a host's, once its files are there.
  /// - Parameters:
  ///   - source: The host.
  ///   - rows: The rows in the folder.
  ///   - address: The database to which they are moved; nil if they stay.
  /// - Throws: `folder` if the database belongs to another host; `unavailable`, `disk-full`.
  func complete(
    _ source: HostFolder, _ rows: MetadataStore, in address: PostgresAddress?
  ) async throws(HostError) {
    try await pass("copy.files")
    if let address { try await move(rows, to: address) }
    try await pass("copy.rows")
    try HostFolder.copyFiles(of: source.keys, to: path + "/keys")
    if var mark = try StoreMark.read(.bucket, in: path) {
      mark.isComplete = true
      try mark.write(.bucket, in: path)
    }
    rows.close()
    if address != nil { removeRows() }
    try await pass("copy.settings")
    try source.settings.write(path + "/host.json")
    CopyNote.remove(in: path)
  }

  /// Ties the folder to a database, unless that belongs to another host, whose rows would be found only after
  /// the last file.
  /// - Throws: `folder` for the database of another host or program; `unavailable`.
  func claim(_ address: PostgresAddress) async throws(HostError) {
    let mark = try mark(of: address)
    let checked: Result<Void, HostError> = await BlockingWork.run { _ in
      let database = PostgresDatabase(address, .aside)
      defer { database.close() }
      do { return .success(try database.check(mark.id)) } catch {
        return .failure(HostError(database: error))
      }
    }
    try checked.get()
    // The folder has the id first: a copy that is interrupted later can be repeated.
    try mark.write(.database, in: path)
  }

  /// Returns the mark of the database, which is not complete: rows of an earlier attempt are replaced.
  private func mark(of address: PostgresAddress) throws(HostError) -> StoreMark {
    var mark =
      try StoreMark.read(.database, in: path)
      ?? StoreMark(address: address.text, id: Hexadecimal.random(byteCount: 16))
    mark.isComplete = false
    return mark
  }

  private func move(_ rows: MetadataStore, to address: PostgresAddress) async throws(HostError) {
    var mark = try mark(of: address)
    let (id, file) = (mark, file)
    let moved = try await BlockingWork.run { _ throws(HostError) in
      try MetadataStore(address, of: id, .alone, file: file)
    }
    defer { moved.close() }
    guard try await moved.models() == rows.models() else {
      throw HostError(
        .corrupted, "The database does not have the models that were written to it",
        remedy: "Read the log of the database, then run the command again", subject: address.text)
    }
    mark.isComplete = true
    try mark.write(.database, in: path)
  }

  private func pass(_ name: StaticString) async throws(HostError) {
    guard !Task.isCancelled else { throw .cancelled }
    do throws(SystemError) { try Failpoint.pass(name) } catch { throw HostError(system: error) }
  }
}
#endif
