// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// Results that were computed before, all of one size, in a file.
///
/// The file begins with a header; a record has the SHA-256 of what it was computed from, its bytes and a checksum. Records are only
/// appended, so that a run that was interrupted loses none, and a last record that was cut off is dropped. One process writes at a
/// time; without the lock a run reads, and goes on uncached.
final class RecordCache: Sendable {
  /// What a file holds.
  struct Content: Sendable {
    /// What notes call the results: "embeddings".
    var name: String
    /// What the file begins with; another version has another header.
    var header: [UInt8]
    /// The bytes of a record.
    var size: Int
  }

  /// Why the cache is not used, or not written; nil where it is.
  var note: String? {
    openingNote ?? damage.withLock { $0 }
      ?? (hasFailed.load(ordering: .relaxed)
        ? "\(content.name) could not be written, and are not kept" : nil)
  }
  private let openingNote: String?
  private let content: Content
  private let descriptor: Int32
  private let isWritable: Bool
  private let places: Mutex<[PhotoDigest: Int]>
  private let hasFailed = Atomic<Bool>(false)
  /// That kept results could not be used.
  private let damage = Mutex<String?>(nil)

  private static let digestSize = 32
  private var recordSize: Int { RecordCache.digestSize + content.size + 8 }

  /// A cache that holds nothing.
  init(empty content: Content, note: String? = nil) {
    self.content = content
    openingNote = note
    descriptor = -1
    isWritable = false
    places = Mutex([:])
  }

  /// Opens a file; what is wrong with it is a note, and never an error.
  static func opened(_ content: Content, named name: String, in folder: String) -> RecordCache {
    let path = FilePath.joined(folder, name)
    do throws(SystemError) {
      try Folder.make(leadingTo: path)
      return try RecordCache(content, path: path)
    } catch {
      return RecordCache(
        empty: content, note: "\(content.name) are not kept: \(path.printable): \(error.message)")
    }
  }

  private init(_ content: Content, path: String) throws(SystemError) {
    self.content = content
    do throws(SystemError) {
      descriptor = try FileLock.open(path, access: O_RDWR).descriptor
      isWritable = true
      openingNote = nil
    } catch {
      guard error.isInUse else { throw error }
      // Another training writes; what it has stored may be read.
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError(errno) }
      isWritable = false
      openingNote = "another run writes the kept \(content.name); those of this run are not kept"
    }
    places = Mutex([:])
    let found = index()
    places.withLock { $0 = found }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  // MARK: Reading

  /// What is stored under a digest; nil where nothing is.
  func record(of digest: PhotoDigest) -> [UInt8]? {
    guard let place = places.withLock({ $0[digest] }),
      let record = read(at: place, count: recordSize), isWhole(record)
    else { return nil }
    return Array(record[RecordCache.digestSize..<RecordCache.digestSize + content.size])
  }

  /// Where each whole record stands.
  ///
  /// What follows the last of them is cut off; a file of another kind is begun again.
  private func index() -> [PhotoDigest: Int] {
    guard let stored = read(at: 0, count: content.header.count), stored == content.header else {
      if read(at: 0, count: 1) != nil { leaveAside("are of another version, or damaged, and") }
      if isWritable { restart() }
      return [:]
    }
    var found: [PhotoDigest: Int] = [:]
    var place = content.header.count
    while let record = read(at: place, count: recordSize), isWhole(record) {
      found[PhotoDigest(stored: record[..<RecordCache.digestSize])] = place
      place += recordSize
    }
    // A record that was cut off is that of a run that was ended; a whole one that is none has been damaged.
    if read(at: place, count: recordSize) != nil { leaveAside("are in part damaged, and those") }
    if isWritable { ftruncate(descriptor, off_t(place)) }
    return found
  }

  private func leaveAside(_ reason: String) {
    damage.withLock { $0 = "the kept \(content.name) \(reason) are computed again" }
  }

  private func restart() {
    if ftruncate(descriptor, 0) != 0 { return hasFailed.store(true, ordering: .relaxed) }
    append(content.header)
  }

  private func read(at place: Int, count: Int) -> [UInt8]? {
    guard descriptor >= 0 else { return nil }
    var filled = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while filled < count {
        let result = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(place + filled))
        if result <= 0 && !(result < 0 && errno == EINTR) { break }
        filled += max(0, result)
      }
      initialized = filled
    }
    return filled == count ? bytes : nil
  }

  private func isWhole(_ record: [UInt8]) -> Bool {
    let end = record.count - 8
    return FNV1a.hash(record[..<end]) == LittleBytes.number(record, end, 8)
  }

  // MARK: Writing

  /// Keeps a record, one call at a time; what cannot be written is not kept, and the run goes on.
  func keep(_ bytes: [UInt8], of digest: PhotoDigest) {
    guard isWritable, !hasFailed.load(ordering: .relaxed) else { return }
    var record = digest.bytes
    record.reserveCapacity(recordSize)
    record += bytes
    record += LittleBytes.of(FNV1a.hash(record[...]), 8)
    append(record)
  }

  private func append(_ bytes: [UInt8]) {
    let end = lseek(descriptor, 0, SEEK_END)
    guard Descriptor.write(bytes, to: descriptor).error != nil else { return }
    // Half a record would hide those that follow it.
    ftruncate(descriptor, end)
    hasFailed.store(true, ordering: .relaxed)
  }
}

/// Numbers as bytes, the lowest first.
enum LittleBytes {
  static func of(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
  }
}
