// SPDX-License-Identifier: Apache-2.0

/// Embeddings from earlier runs, in one file per backbone.
///
/// A record holds the difference hash of the photo and the embedding.
struct EmbeddingCache: Sendable {
  /// The reason why the cache is not used or not written; nil if it is.
  var note: String? { records.note }
  private let dimension: Int
  private let records: RecordCache

  private static let hashSize = 16
  private static let mark = Array("FOVEA-EMBEDDINGS-2\n".utf8)

  /// Creates an empty cache that stores nothing.
  init(dimension: Int) {
    self.dimension = dimension
    records = RecordCache(empty: EmbeddingCache.content(dimension))
  }

  private init(_ records: RecordCache, dimension: Int) {
    self.records = records
    self.dimension = dimension
  }

  /// Opens the cache of a backbone; problems are reported as a note, never as an error.
  static func opened(_ key: CacheKey, in folder: String) -> EmbeddingCache {
    EmbeddingCache(
      RecordCache.opened(content(key.dimension), named: key.fileName, in: folder), dimension: key.dimension)
  }

  private static func content(_ dimension: Int) -> RecordCache.Content {
    RecordCache.Content(
      name: "embeddings", header: mark + LittleBytes.of(UInt64(dimension), 4), size: hashSize + 4 * dimension)
  }

  /// Returns the stored embedding of a photo; nil if there is none.
  func embedding(of digest: PhotoDigest) -> PhotoEmbedding? {
    guard let record = records.record(of: digest) else { return nil }
    let values = (0..<dimension).map { index in
      Float(bitPattern: UInt32(LittleBytes.number(record, EmbeddingCache.hashSize + 4 * index, 4)))
    }
    let hash = DifferenceHash(
      rows: LittleBytes.number(record, 0, 8), columns: LittleBytes.number(record, 8, 8))
    return PhotoEmbedding(values: values, hash: hash)
  }

  /// Stores the embedding of a photo; if writing fails, the run continues without it.
  func keep(_ embedding: PhotoEmbedding, of digest: PhotoDigest) {
    var record = LittleBytes.of(embedding.hash.rows, 8) + LittleBytes.of(embedding.hash.columns, 8)
    record.reserveCapacity(EmbeddingCache.hashSize + 4 * dimension)
    for value in embedding.values { record += LittleBytes.of(UInt64(value.bitPattern), 4) }
    records.keep(record, of: digest)
  }
}
