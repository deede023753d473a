// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct BoxCacheTests {
  static let digest = PhotoDigest(of: [1])
  static func found(_ count: Int) -> FoundBoxes {
    FoundBoxes(
      size: PixelSize(width: 4_000, height: 3_000),
      boxes: (0..<count).map { index in
        .init(
          box: BoundingBox(minX: Double(index) / 3, minY: -0.0, maxX: 1e300, maxY: .leastNonzeroMagnitude),
          score: 1 / Float(index + 2))
      })
  }

  @Test(arguments: [0, 1, 3]) func `boxes are cached for the next run, bit for bit`(count: Int) throws {
    let folder = try TemporaryFolder()
    do {
      let cache = BoxCache(detector: "a", maxObjects: 3, in: folder.path)
      #expect(cache.note == nil && cache.boxes(of: Self.digest) == nil)
      cache.keep(Self.found(count), of: Self.digest)
    }
    let cache = BoxCache(detector: "a", maxObjects: 3, in: folder.path)
    #expect(cache.boxes(of: Self.digest) == Self.found(count))
    #expect(cache.boxes(of: PhotoDigest(of: [2])) == nil)
  }

  @Test func `another detector, or another number of boxes, has its own file`() throws {
    let folder = try TemporaryFolder()
    BoxCache(detector: "a", maxObjects: 3, in: folder.path).keep(Self.found(1), of: Self.digest)
    for (detector, count) in [("b", 3), ("a", 4)] {
      let cache = BoxCache(detector: detector, maxObjects: count, in: folder.path)
      #expect(cache.boxes(of: Self.digest) == nil)
    }
    #expect(try TemporaryFolder.names(in: folder.path).count == 3)
  }

  @Test func `nothing is cached without a folder, or with thousands of boxes`() throws {
    let folder = try TemporaryFolder()
    let none = BoxCache(detector: "a", maxObjects: 3, in: nil)
    none.keep(Self.found(1), of: Self.digest)
    #expect(none.boxes(of: Self.digest) == nil && none.note == nil)
    let large = BoxCache(detector: "a", maxObjects: 1_001, in: folder.path)
    large.keep(Self.found(1), of: Self.digest)
    #expect(large.boxes(of: Self.digest) == nil)
    #expect(try TemporaryFolder.names(in: folder.path).isEmpty)
  }

  @Test func `a second run uses the cache of the first, and detects no box again`() async throws {
    let (photos, set) = try ObjectTrainerTests.drawn(3)
    let options = ObjectTrainerTests.options { $0.classifier.cacheFolder = photos.folder["cache"] }
    let (first, _) = try await BoxFinder(options).run(set.images) { _ in }
    let file = try #require(
      try TemporaryFolder.names(in: photos.folder["cache"]).first { $0.hasSuffix(".boxes") })
    let size = { try Data(contentsOf: URL(fileURLWithPath: photos.folder["cache/\(file)"])).count }
    let kept = try size()
    let (second, _) = try await BoxFinder(options).run(set.images) { _ in }
    // Any detected boxes are stored: a file that has not grown shows that there were none.
    #expect(try size() == kept)
    #expect(second.map(\.boxes) == first.map(\.boxes) && second.map(\.size) == first.map(\.size))
    #expect(!first.flatMap(\.boxes).isEmpty)
  }

  @Test(arguments: [1, 3]) func `boxes found before an interruption are kept`(count: Int)
    async throws
  {
    let (photos, set) = try ObjectTrainerTests.drawn(3)
    let options = ObjectTrainerTests.options { $0.classifier.cacheFolder = photos.folder["cache"] }
    let work = Task { () -> FoveaCode? in
      do throws(FoveaError) {
        _ = try await ObjectTrainer(options).train(set) { progress in
          // SAFETY: the task is not stored.
          if progress.done >= count { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await work.value == .cancelled)
    let file = try #require(
      try TemporaryFolder.names(in: photos.folder["cache"]).first { $0.hasSuffix(".boxes") })
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photos.folder["cache/\(file)"])).count
    // A record of three boxes: digest, head, boxes and checksum.
    #expect((bytes - 18) / (32 + 12 + 3 * 36 + 8) >= count)
    let again = try await ObjectTrainer(options).train(set)
    let plain = try await ObjectTrainer(ObjectTrainerTests.options()).train(set)
    #expect(again.classifier.model == plain.classifier.model && again.figures == plain.figures)
  }
}
