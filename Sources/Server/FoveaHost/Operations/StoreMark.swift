// SPDX-License-Identifier: Apache-2.0
#if Server
import FoundationEssentials
import FoveaCore

/// Ties the folder of a host to a place of its data elsewhere.
///
/// `bucket.json` in the folder and in the bucket of its files have the same id, and so do `database.json` and
/// the database, so that no two hosts change each other's data.
struct StoreMark: Codable, Sendable, Equatable {
  /// The address as it was first given, for messages.
  var address: String
  var id: String
  /// False until all files or rows of the folder are there.
  var isComplete = false

  /// The names of marks.
  enum Name: String {
    case bucket = "bucket.json"
    case database = "database.json"
  }

  /// Reads a mark of a folder; nil if the data are in the folder.
  static func read(_ name: Name, in folder: String) throws(HostError) -> StoreMark? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.bytes(of: folder + "/" + name.rawValue, limit: 1 << 14)
    } catch {
      guard error.number == ENOENT else { throw HostError(system: error) }
      return nil
    }
    guard let mark = try? JSONValue.decode(StoreMark.self, from: bytes) else {
      throw HostError(
        .folder, "The \(name.rawValue) of the folder cannot be read",
        remedy: "Restore it from a backup of the folder")
    }
    return mark
  }

  func write(_ name: Name, in folder: String) throws(HostError) {
    do throws(SystemError) {
      try ReplacedFile.write(try bytes(), to: folder + "/" + name.rawValue, isPrivate: true)
    } catch {
      throw HostError(system: error)
    }
  }

  /// The JSON text of the mark.
  func bytes() throws(SystemError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { throw SystemError(EINVAL) }
    return Array(data) + [0x0A]
  }
}

extension HostFolder {
  /// Opens the store in a bucket, and copies the files of the folder there at the first time.
  /// - Parameter client: The client of the bucket.
  /// - Returns: The store; the folder has only uploads in progress and copies from then on.
  /// - Throws: `folder` if the bucket belongs to another host; `unavailable`, with the bucket as its subject;
  ///   `invalid` for the credentials.
  package func store(in client: S3Client) async throws(HostError) -> S3BlobStore {
    let store = S3BlobStore(client, local: blobs)
    var mark = try await Self.claim(client, for: path)
    guard !mark.isComplete else { return store }
    try await copyFiles(to: store)
    mark.isComplete = true
    try mark.write(.bucket, in: path)
    return store
  }

  /// Returns the store of a host whose files are in its folder.
  /// - Throws: `folder` if they are in a bucket.
  package func localStore() throws(HostError) -> FolderBlobStore {
    guard let mark = try StoreMark.read(.bucket, in: path) else { return blobs }
    throw HostError(
      .folder, "The files of this host are in a bucket, \(mark.address)",
      remedy: "Serve it with \(flag: "blobs") and that address", subject: path)
  }

  /// Returns the bucket to which the files of the host were moved, by its first address; nil if they are in
  /// the folder.
  /// - Throws: `folder` if `bucket.json` cannot be read.
  package func bucket() throws(HostError) -> S3Address? {
    guard let mark = try StoreMark.read(.bucket, in: path), mark.isComplete else { return nil }
    return try S3Address(mark.address)
  }

  /// Opens the store of the host's files to work on it without serving; moves no file.
  /// - Parameters:
  ///   - client: The client of the bucket; nil for files in the folder.
  ///   - local: The store of copies that are read from the bucket; nil, by default, for the host's own.
  /// - Returns: The store.
  /// - Throws: `folder` if the files are elsewhere, or the bucket belongs to another host; `unavailable`,
  ///   `invalid` for the credentials.
  package func presentStore(
    in client: S3Client?, local: FolderBlobStore? = nil
  ) async throws(HostError) -> any BlobStore {
    guard let client else { return try localStore() }
    guard let mark = try StoreMark.read(.bucket, in: path), mark.isComplete else {
      throw HostError(
        .folder, "The files of this host are in its folder", remedy: "Leave out \(flag: "blobs")",
        subject: path)
    }
    try await Self.check(mark, in: client)
    return S3BlobStore(client, local: local ?? blobs)
  }

  /// Checks that a bucket belongs to the host of a mark.
  /// - Returns: True if the bucket has a mark; one without belongs to no host yet.
  /// - Throws: `folder` if it belongs to another host, or has lost its mark; `unavailable`.
  @discardableResult
  static func check(_ mark: StoreMark, in client: S3Client) async throws(HostError) -> Bool {
    switch try await Self.mark(of: client) {
    case let found? where found.id != mark.id:
      throw HostError(
        .folder, "The bucket has the files of another host below this prefix",
        remedy: "Choose another prefix, or the folder of that host", subject: client.address.text)
    case nil where mark.isComplete:
      throw HostError(
        .folder, "The bucket has no files of this host; they were in \(mark.address)",
        remedy: "Correct the address of \(flag: "blobs"), or restore the bucket", subject: client.address.text
      )
    case let found: return found != nil
    }
  }

  /// Ties a bucket and a folder to each other, unless they already are.
  /// - Returns: The mark of the folder; it is not complete before the bucket has its files.
  /// - Throws: The errors of ``check(_:in:)``.
  static func claim(_ client: S3Client, for folder: String) async throws(HostError) -> StoreMark {
    let mark =
      try StoreMark.read(.bucket, in: folder)
      ?? StoreMark(address: client.address.text, id: Hexadecimal.random(byteCount: 16))
    let isMarked = try await check(mark, in: client)
    guard !mark.isComplete else { return mark }
    // The folder has the id first: a command that is interrupted here can be repeated.
    try mark.write(.bucket, in: folder)
    if !isMarked { try await put(mark, client) }
    return mark
  }

  private static func mark(of client: S3Client) async throws(HostError) -> StoreMark? {
    guard let reply = try await client.small(StoreMark.Name.bucket.rawValue) else { return nil }
    guard let mark = try? JSONValue.decode(StoreMark.self, from: reply.body) else {
      throw reply.error(at: client.address)
    }
    return mark
  }

  private static func put(_ mark: StoreMark, _ client: S3Client) async throws(HostError) {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try mark.bytes() } catch { throw HostError(system: error) }
    _ = try await client.putNew(StoreMark.Name.bucket.rawValue, bytes)
    // Another host may have been faster, or the server ignores the condition.
    guard try await Self.mark(of: client)?.id == mark.id else {
      throw HostError(
        .folder, "Another host has just taken this prefix of the bucket", remedy: "Choose another prefix",
        subject: client.address.text)
    }
  }

  /// Sends each intact file of the folder that the bucket lacks.
  private func copyFiles(to store: S3BlobStore) async throws(HostError) {
    let present = Dictionary(
      try await store.all().map { ($0.sha256, $0.size) }, uniquingKeysWith: { first, _ in first })
    for blob in try await blobs.all() where present[blob.sha256] != blob.size {
      let copy = try await blobs.localCopy(of: blob.sha256)
      let sums = try await BlockingWork.run { stop throws(HostError) in try copy.sums { stop.isSet } }
      // A damaged file stays missing, as it was.
      guard sums.sha256 == blob.sha256 else { continue }
      try await store.put(copy, sums)
    }
  }
}
#endif
