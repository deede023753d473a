// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct EmbeddingCacheTests {
  static let key = CacheKey(graph: "a", preparation: "none", dimension: 3)
  static func digest(_ number: UInt8) -> PhotoDigest { PhotoDigest(of: [number]) }
  static func embedding(_ number: Float) -> PhotoEmbedding {
    PhotoEmbedding(
      values: [number, -0.0, .leastNonzeroMagnitude],
      hash: DifferenceHash(rows: 0x0123_4567_89AB_CDEF, columns: 0xFEDC_BA98_7654_3210))
  }

  @Test func `cached embeddings are there for the next run, bit for bit`() throws {
    let folder = try TemporaryFolder()
    do {
      let cache = EmbeddingCache.opened(Self.key, in: folder["deep/cache"])
      #expect(cache.note == nil && cache.embedding(of: Self.digest(1)) == nil)
      for number in 1...3 { cache.keep(Self.embedding(Float(number)), of: Self.digest(UInt8(number))) }
    }
    let cache = EmbeddingCache.opened(Self.key, in: folder["deep/cache"])
    for number in 1...3 {
      #expect(cache.embedding(of: Self.digest(UInt8(number))) == Self.embedding(Float(number)))
    }
    #expect(cache.embedding(of: Self.digest(4)) == nil)
  }

  /// A change of the file, and the number of the three records that remain.
  static let damages: [(name: String, left: Int, note: String?, damage: @Sendable (inout [UInt8]) -> Void)] =
    [
      ("nothing", 3, nil, { _ in }), ("the last record is cut off", 2, nil, { $0.removeLast() }),
      ("the last record lacks all but a byte", 2, nil, { $0.removeLast(67) }),
      ("a bit of the second record is flipped", 1, "are partly damaged", { $0[$0.count - 100] ^= 4 }),
      ("another version", 0, "have another version", { $0[17] ^= 1 }),
      ("another dimension", 0, "have another version", { $0[19] = 9 }),
      ("empty", 0, nil, { $0 = [] }),
      ("something else", 0, "have another version", { $0 = Array("hello".utf8) }),
    ]

  @Test(arguments: damages.indices) func `the intact records of a damaged file are read, and it continues`(
    index: Int
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder[Self.key.fileName]
    do {
      let cache = EmbeddingCache.opened(Self.key, in: folder.path)
      for number in 1...3 { cache.keep(Self.embedding(Float(number)), of: Self.digest(UInt8(number))) }
    }
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    Self.damages[index].damage(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    do {
      let cache = EmbeddingCache.opened(Self.key, in: folder.path)
      let left = (1...3).count { cache.embedding(of: Self.digest($0)) != nil }
      #expect(left == Self.damages[index].left, "\(Self.damages[index].name)")
      let note = Self.damages[index].note.map { "the cached embeddings \($0)" }
      #expect(cache.note.map { $0.prefix(note?.count ?? 0) } == note.map { $0[...] })
      cache.keep(Self.embedding(7), of: Self.digest(7))
    }
    let again = EmbeddingCache.opened(Self.key, in: folder.path)
    #expect(again.embedding(of: Self.digest(7)) == Self.embedding(7))
  }

  @Test func `a second run reads the cache, and adds nothing`() throws {
    let folder = try TemporaryFolder()
    let first = EmbeddingCache.opened(Self.key, in: folder.path)
    first.keep(Self.embedding(1), of: Self.digest(1))
    let second = EmbeddingCache.opened(Self.key, in: folder.path)
    #expect(second.note != nil)
    #expect(second.embedding(of: Self.digest(1)) == Self.embedding(1))
    second.keep(Self.embedding(2), of: Self.digest(2))
    #expect(second.embedding(of: Self.digest(2)) == nil)
  }

  @Test func `a folder that cannot be created is a note, and not an error`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "x")
    let cache = EmbeddingCache.opened(Self.key, in: folder["file/cache"])
    #expect(cache.note?.contains("not cached") == true)
    #expect(cache.embedding(of: Self.digest(1)) == nil)
    cache.keep(Self.embedding(1), of: Self.digest(1))
  }

  @Test func `another backbone, preparation or dimension has its own file`() {
    let names = [
      Self.key, CacheKey(graph: "b", preparation: "none", dimension: 3),
      CacheKey(graph: "a", preparation: "x", dimension: 3),
      CacheKey(graph: "a", preparation: "none", dimension: 4),
    ].map(\.fileName)
    #expect(Set(names).count == 4)
  }
}
