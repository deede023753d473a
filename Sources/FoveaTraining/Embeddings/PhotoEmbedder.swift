// SPDX-License-Identifier: Apache-2.0

internal import Fovea
internal import FoveaErrors
internal import FoveaImage

/// Computes the embeddings of many photos, several at a time, or takes those that are kept.
struct PhotoEmbedder: Sendable {
  let embedder: ImageEmbedder
  let cache: EmbeddingCache
  let jobs: Int
  let limits: ImageLimits

  private struct Outcome: Sendable {
    var index: Int
    var result: Result<(embedding: PhotoEmbedding, digest: PhotoDigest), FoveaError>
    var isNew: Bool
  }

  /// Runs all photos; what is cancelled leaves what it has computed in the cache.
  /// - Parameters:
  ///   - photos: The photos.
  ///   - progress: Hears how many are done.
  /// - Returns: The embeddings of those that could be opened, in the order of `photos`.
  /// - Throws: `cancelled`, and failures of the model, which are none of a photo.
  func run(
    _ photos: [TrainingSet.Photo], progress: (Int) -> Void
  ) async throws(FoveaError) -> EmbeddedPhotos {
    do {
      return try await withThrowingTaskGroup(of: Outcome.self) { group in
        var gathered = Gathered(count: photos.count, dimension: embedder.dimension)
        var next = 0
        func start() {
          guard next < photos.count else { return }
          let (index, photo) = (next, photos[next])
          next += 1
          group.addTask { try await outcome(of: photo, index: index) }
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
    gathered.doneCount += 1
    switch outcome.result {
    case .success(let (embedding, digest)):
      gathered.set(outcome.index, embedding, digest)
      guard outcome.isNew else { return }
      gathered.computedCount += 1
      cache.keep(embedding, of: digest)
    case .failure(let error): gathered.errors[outcome.index] = error
    }
  }

  @concurrent
  private func outcome(of photo: TrainingSet.Photo, index: Int) async throws -> Outcome {
    try Task.checkCancellation()
    do throws(FoveaError) {
      let image: EncodedImage
      do throws(ImageError) { image = try EncodedImage(path: photo.path, limits: limits) } catch {
        throw FoveaError(error)
      }
      let digest = PhotoDigest(of: image.bytes)
      if let kept = cache.embedding(of: digest) {
        return Outcome(index: index, result: .success((kept, digest)), isNew: false)
      }
      let found = try await embedder.analyze(.encoded(image))
      let embedding = try PhotoEmbedding(found)
      return Outcome(index: index, result: .success((embedding, digest)), isNew: true)
    } catch {
      // What a photo is to blame for leaves the others alone.
      guard error.code.rawValue.hasPrefix(ImageCode.domain) else { throw error }
      return Outcome(index: index, result: .failure(error), isNew: false)
    }
  }

  private struct Gathered {
    var values: [Float]
    var hashes: [UInt64]
    var digests: [PhotoDigest?]
    var errors: [Int: FoveaError] = [:]
    var doneCount = 0
    var computedCount = 0
    let dimension: Int

    init(count: Int, dimension: Int) {
      self.dimension = dimension
      values = [Float](repeating: 0, count: count * dimension)
      hashes = [UInt64](repeating: 0, count: count)
      digests = [PhotoDigest?](repeating: nil, count: count)
    }

    mutating func set(_ index: Int, _ embedding: PhotoEmbedding, _ digest: PhotoDigest) {
      for (place, value) in embedding.values.enumerated() { values[index * dimension + place] = value }
      hashes[index] = embedding.hash
      digests[index] = digest
    }

    /// Those that could be opened, closed up where some could not.
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
