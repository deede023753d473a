// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// A ``BlobStore`` in a bucket: `blobs/sha256/aa/bb…` below its prefix.
///
/// Devices read from the bucket. The host's folder has the uploads in progress, and copies of files that
/// were sent or checked in the last day. An object is written over when its bytes are uploaded again, which
/// repairs it and makes it young.
package final class S3BlobStore: BlobStore {
  /// The latest state of an object.
  private struct Known {
    let object: S3Object
    /// Whether its bytes, with this tag, were sent or read by this process and have the SHA-256 of its name.
    let isIntact: Bool
    let time: Timestamp
    /// The time at which this process wrote it; nil if it did not.
    let sent: Timestamp?
    /// The address for devices; nil until someone asks, and if it is not among the latest.
    ///
    /// It is used for as long as the object counts as present, because signing one takes longer than the rest
    /// of an answer.
    var address: String?
  }

  /// The known objects, of which the latest may have addresses: a description takes some
  /// two hundred bytes, an address some five hundred more.
  private struct State {
    var known: [String: Known] = [:]
    /// The objects with addresses, in the order in which these were signed.
    var addressed: [(sha256: String, address: String)] = []

    /// Keeps an address, and at most a number of them.
    mutating func keep(_ address: String, for sha256: String, most: Int) {
      guard known[sha256] != nil else { return }
      known[sha256]?.address = address
      addressed.append((sha256, address))
      guard addressed.count > most else { return }
      let oldest = addressed.removeFirst()
      // It may have a newer one.
      if known[oldest.sha256]?.address == oldest.address { known[oldest.sha256]?.address = nil }
    }
  }

  /// The lifetime of an address in seconds; a device gets one that is at most ``freshness`` old.
  static let addressLifetime = 300
  /// The time for which the tag of an object counts as present, in seconds.
  static let freshness = 10.0

  let client: S3Client
  let local: FolderBlobStore
  private let mostAddresses: Int
  private let state = Mutex(State())
  private let turns = BlobTurns()

  package var folder: String { local.folder }

  /// - Parameters:
  ///   - client: The client of the bucket.
  ///   - local: The store of the files on this machine.
  ///   - mostAddresses: The number of addresses that are kept, 1,000 by default, with some 0.5 MB: devices
  ///     that want more files in ten seconds wait for signatures.
  package init(_ client: S3Client, local: FolderBlobStore, mostAddresses: Int = 1_000) {
    (self.client, self.local, self.mostAddresses) = (client, local, mostAddresses)
  }

  static let folder = "blobs/sha256/"

  private func key(_ sha256: String) throws(HostError) -> String {
    guard sha256.isSHA256 else { throw .noBlob }
    return "\(Self.folder)\(sha256.prefix(2))/\(sha256.dropFirst(2))"
  }

  // MARK: Writing

  package func upload(resuming name: String?) async throws(HostError) -> any BlobUpload {
    let local = local
    let file = try await BlockingWork.run { _ throws(HostError) in try local.startUpload(name) }
    return S3Upload(file, self)
  }

  package func upload(named name: String) async throws(HostError) -> any BlobUpload {
    let local = local
    let file = try await BlockingWork.run { _ throws(HostError) in try local.startNewUpload(name) }
    return S3Upload(file, self)
  }

  package func put(_ file: any Blob, _ sums: FinishedBlob) async throws(HostError) {
    try await send(sums, path: file.path)
  }

  /// Writes a file to the bucket.
  func send(_ blob: FinishedBlob, path: String) async throws(HostError) {
    let key = try key(blob.sha256)
    try await turns.run(blob.sha256) { () async throws(HostError) in
      let tag = try await client.put(key, path: path, blob)
      guard let object = try await client.head(key), object.size == blob.size else {
        throw HostError(
          .unavailable, "The store of files does not have the \(blob.size) bytes that it has accepted",
          remedy: "Send the file again, and read the server's log")
      }
      note(blob.sha256, object, isIntact: tag == object.tag, isSent: true)
    }
  }

  package func remove(_ sha256: String) async throws(HostError) {
    guard sha256.isSHA256 else { return }
    let key = try key(sha256)
    try await turns.run(sha256) { () async throws(HostError) in
      state.withLock { $0.known[sha256] = nil }
      try await client.delete(key)
    }
    try await local.remove(sha256)
  }

  // MARK: Reading

  package func location(of sha256: String) async throws(HostError) -> BlobLocation {
    let key = try key(sha256)
    let object: S3Object
    let now = client.now()
    // An address from before the clock was set back is signed in the future.
    if let found = state.withLock({ $0.known[sha256] }), found.isIntact, found.time <= now,
      now < found.time.advanced(seconds: Self.freshness)
    {
      if let address = found.address { return .address(address, size: found.object.size) }
      object = found.object
    } else {
      object = try await turns.run(sha256) { () async throws(HostError) in try await intact(sha256, key) }
    }
    let address = try await client.presigned(key, lifetime: Self.addressLifetime)
    state.withLock { $0.keep(address, for: sha256, most: mostAddresses) }
    return .address(address, size: object.size)
  }

  /// Returns the description of an object, and reads it if its tag is new: nothing else shows that its bytes
  /// are those of its name.
  private func intact(_ sha256: String, _ key: String) async throws(HostError) -> S3Object {
    guard let object = try await client.head(key) else { throw missing(sha256) }
    if isKnown(sha256, object) {
      note(sha256, object, isIntact: true)
      return object
    }
    guard let read = try await client.get(key) else { throw missing(sha256) }
    guard read.blob.sha256 == sha256 else {
      throw HostError(
        .damaged, "The file \(sha256.prefix(12))… differs in content from its name",
        remedy: "Publish it again, and check who else writes to the bucket")
    }
    let found = S3Object(tag: read.tag, size: read.blob.size)
    note(sha256, found, isIntact: true)
    return found
  }

  package func localCopy(of sha256: String) async throws(HostError) -> any Blob {
    let key = try key(sha256)
    return try await turns.run(sha256) { () async throws(HostError) -> any Blob in
      guard let object = try await client.head(key) else { throw missing(sha256) }
      // The bytes of the copy are those of the object only if both are known to be intact.
      if isKnown(sha256, object), (try? await local.isIntact(sha256)) == true,
        let copy = try? await openCopy(sha256, isVerified: true)
      {
        return copy
      }
      return try await fetch(sha256, key)
    }
  }

  private func openCopy(_ sha256: String, isVerified: Bool) async throws(HostError) -> any Blob {
    let local = local
    return try await BlockingWork.run { _ throws(HostError) -> any Blob in
      try local.open(sha256, isVerified: isVerified)
    }
  }

  /// Reads an object into a file of this machine, which keeps its name only if it has its bytes.
  private func fetch(_ sha256: String, _ key: String) async throws(HostError) -> any Blob {
    let local = local
    let file = try await BlockingWork.run { _ throws(HostError) in try local.startUpload() }
    do throws(HostError) {
      guard let tag = try await client.get(key, into: file) else { throw missing(sha256) }
      let blob = try await file.finish()
      let copy = try await openCopy(blob.sha256, isVerified: blob.sha256 == sha256)
      if blob.sha256 == sha256 {
        note(sha256, S3Object(tag: tag, size: blob.size), isIntact: true)
      } else {
        try await local.remove(blob.sha256)
      }
      return copy
    } catch {
      await file.cancel()
      throw error
    }
  }

  package func contains(_ sha256: String) async throws(HostError) -> Bool {
    guard sha256.isSHA256 else { return false }
    if state.withLock({ $0.known[sha256] }) != nil { return true }
    return try await client.head(key(sha256)) != nil
  }

  package func isIntact(_ sha256: String) async throws(HostError) -> Bool {
    guard let read = try await client.get(key(sha256)) else { throw missing(sha256) }
    return read.blob.sha256 == sha256
  }

  // MARK: All

  package func all() async throws(HostError) -> [BlobInfo] {
    var blobs: [BlobInfo] = []
    try await client.list(Self.folder) { name, size, changed in
      let sha256 = name.filter { $0 != "/" }
      // Other objects are not the host's.
      guard sha256.isSHA256, name.utf8.count == 65 else { return }
      blobs.append(BlobInfo(sha256: sha256, size: size, changed: changed))
    }
    return blobs.sorted { $0.sha256 < $1.sha256 }
  }

  @discardableResult
  package func collect(
    keeping used: Set<String>?, before time: Timestamp,
    if condition: @Sendable () async throws(HostError) -> Void
  ) async throws(HostError) -> Int64 {
    let local = local
    var freed = try await BlockingWork.run { _ throws(HostError) in
      // Copies, which the bucket has too.
      _ = try local.removeBlobs(keeping: [], before: time)
      return try local.removeUploads(before: time)
    }
    guard let used else { return freed }
    for blob in try await all() where !used.contains(blob.sha256) && blob.changed < time {
      let key = try key(blob.sha256)
      freed += try await turns.run(blob.sha256) { () async throws(HostError) -> Int64 in
        try await condition()
        // Written again since it was listed, by this host or another one, it is young.
        let isYoung = state.withLock { $0.known[blob.sha256] }?.sent.map { $0 >= time } ?? false
        guard !isYoung, try await isOld(key, before: time) else { return 0 }
        state.withLock { $0.known[blob.sha256] = nil }
        try await client.delete(key)
        return blob.size
      }
    }
    return freed
  }

  /// Returns whether an object exists and is as old now.
  private func isOld(_ key: String, before time: Timestamp) async throws(HostError) -> Bool {
    var isOld = false
    try await client.list(key) { rest, _, changed in
      if rest.isEmpty { isOld = changed < time }
    }
    return isOld
  }

  // MARK: Known objects

  private func isKnown(_ sha256: String, _ object: S3Object) -> Bool {
    state.withLock { $0.known[sha256] }.map { $0.isIntact && $0.object == object } ?? false
  }

  private func note(_ sha256: String, _ object: S3Object, isIntact: Bool, isSent: Bool = false) {
    let now = client.now()
    state.withLock { state in
      state.known[sha256] = Known(
        object: object, isIntact: isIntact && !object.tag.isEmpty, time: now,
        sent: isSent ? now : state.known[sha256]?.sent)
    }
  }

  private func missing(_ sha256: String) -> HostError {
    state.withLock { $0.known[sha256] = nil }
    return .noBlob
  }
}
#endif
