// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaImage

/// Computes the embeddings of many photos, several at a time, or reads them from the cache.
struct PhotoEmbedder: Sendable {
  let embedder: ImageEmbedder
  let cache: EmbeddingCache
  let jobs: Int
  let limits: ImageLimits
  /// Whether the model gets the photos with left and right swapped.
  var isMirrored = false

  private struct Outcome: Sendable {
    /// The photos of one file: a single photo or consecutive crops.
    var range: Range<Int>
    var result: Result<[Found], FoveaError>
  }

  private struct Found: Sendable {
    var embedding: PhotoEmbedding
    /// The digest of the file, and the key of the cached embedding.
    var (file, key): (PhotoDigest, PhotoDigest)
    var isNew: Bool
  }

  /// Embeds all photos; if cancelled, the computed embeddings stay in the cache.
  /// - Parameters:
  ///   - photos: The photos.
  ///   - progress: Called with the number of finished photos.
  /// - Returns: The embeddings of the photos that could be opened, in the order of `photos`.
  /// - Throws: `cancelled`, and failures of the model that no single photo causes.
  func run(
    _ photos: [TrainingSet.Photo], progress: (Int) -> Void
  ) async throws(FoveaError) -> EmbeddedPhotos {
    do {
      return try await withThrowingTaskGroup(of: Outcome.self) { group in
        var gathered = Gathered(count: photos.count, dimension: embedder.dimension)
        var next = 0
        func start() {
          guard next < photos.count else { return }
          let range = next..<PhotoEmbedder.end(of: next, in: photos)
          let photos = Array(photos[range])
          next = range.upperBound
          group.addTask { try await outcome(of: photos, range) }
        }
        for _ in 0..<2 * jobs { start() }
        while let outcome = try await group.next() {
          take(outcome, into: &gathered)
          progress(gathered.doneCount)
          start()
        }
        return gathered.photos(of: photos)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private func take(_ outcome: Outcome, into gathered: inout Gathered) {
    gathered.doneCount += outcome.range.count
    switch outcome.result {
    case .success(let found):
      for (index, each) in zip(outcome.range, found) {
        gathered.set(index, each.embedding, each.file)
        guard each.isNew else { continue }
        gathered.computedCount += 1
        cache.keep(each.embedding, of: each.key)
      }
    case .failure(let error): for index in outcome.range { gathered.errors[index] = error }
    }
  }

  /// Returns the end of the photos of one file.
  private static func end(of start: Int, in photos: [TrainingSet.Photo]) -> Int {
    guard photos[start].crop != nil else { return start + 1 }
    return photos[start...].firstIndex { $0.path != photos[start].path || $0.crop == nil } ?? photos.count
  }

  @concurrent
  private func outcome(of photos: [TrainingSet.Photo], _ range: Range<Int>) async throws -> Outcome {
    try Task.checkCancellation()
    do throws(FoveaError) {
      let image: EncodedImage
      do throws(ImageError) { image = try EncodedImage(path: photos[0].path, limits: limits) } catch {
        throw FoveaError(error)
      }
      return Outcome(range: range, result: .success(try await found(in: image, photos)))
    } catch {
      // An error of one photo does not affect the others.
      guard error.code.rawValue.hasPrefix(ImageCode.domain) else { throw error }
      return Outcome(range: range, result: .failure(error))
    }
  }

  /// Returns the embeddings of a file or of its crops; cached ones are not computed again.
  private func found(
    in image: EncodedImage, _ photos: [TrainingSet.Photo]
  ) async throws(FoveaError) -> [Found] {
    let file = PhotoDigest(of: image.bytes)
    let keys = photos.map { $0.crop.map { file.of($0) } ?? file }
    var embeddings = keys.map { cache.embedding(of: $0) }
    let missing = embeddings.indices.filter { embeddings[$0] == nil }
    let crops = missing.compactMap { photos[$0].crop }
    if !missing.isEmpty {
      let shown = isMirrored ? image.oriented(image.orientation.mirrored) : image
      let computed =
        crops.isEmpty
        ? [try await embedder.analyze(.encoded(shown))]
        : try await embedder.analyze(.encoded(shown), regions: crops)
      for (index, each) in zip(missing, computed) { embeddings[index] = try PhotoEmbedding(each) }
    }
    let isNew = Set(missing)
    return embeddings.indices.compactMap { index in
      embeddings[index].map {
        Found(embedding: $0, file: file, key: keys[index], isNew: isNew.contains(index))
      }
    }
  }

  private struct Gathered {
    var values: [Float]
    var hashes: [DifferenceHash]
    var digests: [PhotoDigest?]
    var errors: [Int: FoveaError] = [:]
    var doneCount = 0
    var computedCount = 0
    let dimension: Int

    init(count: Int, dimension: Int) {
      self.dimension = dimension
      values = [Float](repeating: 0, count: count * dimension)
      hashes = [DifferenceHash](repeating: DifferenceHash(rows: 0, columns: 0), count: count)
      digests = [PhotoDigest?](repeating: nil, count: count)
    }

    mutating func set(_ index: Int, _ embedding: PhotoEmbedding, _ digest: PhotoDigest) {
      for (place, value) in embedding.values.enumerated() { values[index * dimension + place] = value }
      hashes[index] = embedding.hash
      digests[index] = digest
    }

    /// Returns the photos that could be opened, without gaps for the others.
    func photos(of photos: [TrainingSet.Photo]) -> EmbeddedPhotos {
      var result = EmbeddedPhotos(
        photos: [], values: errors.isEmpty ? values : [], dimension: dimension, hashes: [], digests: [],
        failed: [], computedCount: computedCount)
      for (index, photo) in photos.enumerated() {
        guard let digest = digests[index] else {
          if let error = errors[index] { result.failed.append(.init(photo: photo, error: error)) }
          continue
        }
        result.photos.append(photo)
        result.hashes.append(hashes[index])
        result.digests.append(digest)
        if !errors.isEmpty { result.values += values[index * dimension..<(index + 1) * dimension] }
      }
      return result
    }
  }
}

extension Orientation {
  /// The orientation that shows the upright photo with left and right swapped.
  var mirrored: Orientation {
    switch self {
    case .up: .upMirrored
    case .upMirrored: .up
    case .down: .downMirrored
    case .downMirrored: .down
    case .right: .leftMirrored
    case .leftMirrored: .right
    case .left: .rightMirrored
    case .rightMirrored: .left
    }
  }
}
