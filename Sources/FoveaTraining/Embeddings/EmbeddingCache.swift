// SPDX-License-Identifier: Apache-2.0

internal import FoveaSystem
internal import Synchronization

/// Embeddings that were computed before, in a file for each backbone.
///
/// The file begins with a mark and the dimension; a record has the SHA-256 of the photo's bytes, its difference hash, the numbers
/// and a checksum. Records are only appended, so that a run that was interrupted loses none, and a last record that was cut off is
/// dropped. One process writes at a time; without the lock a run reads, and goes on uncached.
final class EmbeddingCache: Sendable {
  /// Why the cache is not used, or not written; nil where it is.
  var note: String? {
    openingNote
      ?? (hasFailed.load(ordering: .relaxed) ? "embeddings could not be written, and are not kept" : nil)
  }
  private let openingNote: String?
  private let dimension: Int
  private let descriptor: Int32
  private let isWritable: Bool
  private let places: Mutex<[PhotoDigest: Int]>
  private let hasFailed = Atomic<Bool>(false)

  private static let mark = Array("FOVEA-EMBEDDINGS-1\n".utf8)
  private static let digestSize = 32

  private var headerSize: Int { EmbeddingCache.mark.count + 4 }
  private var recordSize: Int { EmbeddingCache.digestSize + 8 + 4 * dimension + 8 }

  /// A cache that holds nothing.
  init(dimension: Int, note: String? = nil) {
    self.dimension = dimension
    openingNote = note
    descriptor = -1
    isWritable = false
    places = Mutex([:])
  }

  /// Opens the cache of a backbone; what is wrong with it is a note, and never an error.
  static func opened(_ key: CacheKey, in folder: String) -> EmbeddingCache {
    let path = FilePath.joined(folder, key.fileName)
    do throws(SystemError) {
      try Folder.make(leadingTo: path)
      return try EmbeddingCache(path: path, dimension: key.dimension)
    } catch {
      return EmbeddingCache(
        dimension: key.dimension, note: "embeddings are not kept: \(path.printable): \(error.message)")
    }
  }

  private init(path: String, dimension: Int) throws(SystemError) {
    self.dimension = dimension
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
      openingNote = "another run writes the kept embeddings; those of this run are not kept"
    }
    places = Mutex([:])
    let found = index()
    places.withLock { $0 = found }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  // MARK: Reading

  /// What is stored for a photo; nil where nothing is.
  func embedding(of digest: PhotoDigest) -> PhotoEmbedding? {
    guard let place = places.withLock({ $0[digest] }),
      let record = read(at: place, count: recordSize), isWhole(record)
    else { return nil }
    var values = [Float](repeating: 0, count: dimension)
    let start = EmbeddingCache.digestSize + 8
    for index in 0..<dimension {
      values[index] = Float(bitPattern: UInt32(EmbeddingCache.number(record, start + 4 * index, 4)))
    }
    return PhotoEmbedding(
      values: values, hash: EmbeddingCache.number(record, EmbeddingCache.digestSize, 8))
  }

  /// Where each whole record stands.
  ///
  /// What follows the last of them is cut off; a file of another kind is begun again.
  private func index() -> [PhotoDigest: Int] {
    let header = EmbeddingCache.mark + EmbeddingCache.bytes(UInt64(dimension), 4)
    guard let stored = read(at: 0, count: headerSize), stored == header else {
      if isWritable { restart(header) }
      return [:]
    }
    var found: [PhotoDigest: Int] = [:]
    var place = headerSize
    while let record = read(at: place, count: recordSize), isWhole(record) {
      found[PhotoDigest(stored: record[..<EmbeddingCache.digestSize])] = place
      place += recordSize
    }
    if isWritable { ftruncate(descriptor, off_t(place)) }
    return found
  }

  private func restart(_ header: [UInt8]) {
    if ftruncate(descriptor, 0) != 0 { return hasFailed.store(true, ordering: .relaxed) }
    append(header)
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
    return FNV1a.hash(record[..<end]) == EmbeddingCache.number(record, end, 8)
  }

  // MARK: Writing

  /// Keeps the embedding of a photo; what cannot be written is not kept, and the run goes on.
  func keep(_ embedding: PhotoEmbedding, of digest: PhotoDigest) {
    guard isWritable, !hasFailed.load(ordering: .relaxed) else { return }
    var record = digest.bytes + EmbeddingCache.bytes(embedding.hash, 8)
    record.reserveCapacity(recordSize)
    for value in embedding.values { record += EmbeddingCache.bytes(UInt64(value.bitPattern), 4) }
    record += EmbeddingCache.bytes(FNV1a.hash(record[...]), 8)
    append(record)
  }

  private func append(_ bytes: [UInt8]) {
    let end = lseek(descriptor, 0, SEEK_END)
    guard Descriptor.write(bytes, to: descriptor).error != nil else { return }
    // Half a record would hide those that follow it.
    ftruncate(descriptor, end)
    hasFailed.store(true, ordering: .relaxed)
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
  }
}
