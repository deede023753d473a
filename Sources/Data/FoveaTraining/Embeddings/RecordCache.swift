// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// Results of earlier runs, all of one size, in a file.
///
/// The file begins with a header; a record has the SHA-256 of its source, the result's bytes and a checksum.
/// Records are only appended, so an interrupted run loses none, and a truncated last record is dropped. One
/// process writes at a time; a run without the lock reads the cache but does not add to it.
final class RecordCache: Sendable {
  /// The content of a file.
  struct Content: Sendable {
    /// The name of the results in notes: "embeddings".
    var name: String
    /// The first bytes of the file; each version has its own header.
    var header: [UInt8]
    /// The size of a result in bytes.
    var size: Int
  }

  /// The reason why the cache is not used or not written; nil if it is.
  var note: String? {
    openingNote ?? damage.withLock { $0 }
      ?? (hasFailed.load(ordering: .relaxed)
        ? "\(content.name) could not be written to the cache" : nil)
  }
  private let openingNote: String?
  private let content: Content
  private let descriptor: Int32
  private let isWritable: Bool
  private let places: Mutex<[PhotoDigest: Int]>
  private let hasFailed = Atomic<Bool>(false)
  /// The problem with unusable records.
  private let damage = Mutex<String?>(nil)

  private static let digestSize = 32
  private var recordSize: Int { RecordCache.digestSize + content.size + 8 }

  /// Creates an empty cache that stores nothing.
  init(empty content: Content, note: String? = nil) {
    self.content = content
    openingNote = note
    descriptor = -1
    isWritable = false
    places = Mutex([:])
  }

  /// Opens a file; problems are reported as a note, never as an error.
  static func opened(_ content: Content, named name: String, in folder: String) -> RecordCache {
    let path = FilePath.joined(folder, name)
    do throws(SystemError) {
      try Folder.make(leadingTo: path)
      return try RecordCache(content, path: path)
    } catch {
      return RecordCache(
        empty: content, note: "\(content.name) are not cached: \(path.printable): \(error.message)")
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
      // Another training run writes the file; its records can still be read.
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError(errno) }
      isWritable = false
      openingNote = "another run is writing the cached \(content.name); this run does not cache its own"
    }
    places = Mutex([:])
    let found = index()
    places.withLock { $0 = found }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  // MARK: Reading

  /// Returns the record stored under a digest; nil if there is none.
  func record(of digest: PhotoDigest) -> [UInt8]? {
    guard let place = places.withLock({ $0[digest] }),
      let record = read(at: place, count: recordSize), isWhole(record)
    else { return nil }
    return Array(record[RecordCache.digestSize..<RecordCache.digestSize + content.size])
  }

  /// Finds the position of each complete record.
  ///
  /// Truncates the file after the last record; starts over if the file is of another kind.
  private func index() -> [PhotoDigest: Int] {
    guard let stored = read(at: 0, count: content.header.count), stored == content.header else {
      if read(at: 0, count: 1) != nil { leaveAside("have another version or are damaged; they are") }
      if isWritable { restart() }
      return [:]
    }
    var found: [PhotoDigest: Int] = [:]
    var place = content.header.count
    while let record = read(at: place, count: recordSize), isWhole(record) {
      found[PhotoDigest(stored: record[..<RecordCache.digestSize])] = place
      place += recordSize
    }
    // A truncated record is left by an interrupted run; a complete but invalid one is damaged.
    if read(at: place, count: recordSize) != nil { leaveAside("are partly damaged; the damaged ones are") }
    if isWritable { ftruncate(descriptor, off_t(place)) }
    return found
  }

  private func leaveAside(_ reason: String) {
    damage.withLock { $0 = "the cached \(content.name) \(reason) computed again" }
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

  /// Stores a record, one call at a time; if writing fails, the run continues without it.
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
    // An incomplete record would hide the records after it.
    ftruncate(descriptor, end)
    hasFailed.store(true, ordering: .relaxed)
  }
}

/// Numbers as bytes in little-endian order.
enum LittleBytes {
  static func of(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
  }
}
