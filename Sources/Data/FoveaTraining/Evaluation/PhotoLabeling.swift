// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaImage

/// Labels many photos, several at a time, with all scores that a model gives.
struct PhotoLabeling: Sendable {
  let labeler: ImageLabeler
  let classCount: Int
  let jobs: Int

  private typealias Outcome = (index: Int, result: Result<[Label], FoveaError>)

  /// Labels all photos.
  /// - Parameters:
  ///   - photos: The photos.
  ///   - progress: Hears how many are done, and how many of them could not be opened.
  /// - Returns: For each photo its labels, or why it could not be opened.
  /// - Throws: `cancelled`, and failures of the model, which are none of a photo.
  func run(
    _ photos: [TrainingSet.Photo], progress: (Int, Int) -> Void
  ) async throws(FoveaError) -> [Result<[Label], FoveaError>] {
    do {
      return try await withThrowingTaskGroup(of: Outcome.self) { group in
        var results = [Result<[Label], FoveaError>](repeating: .success([]), count: photos.count)
        var (next, done, failed) = (0, 0, 0)
        func start() {
          guard next < photos.count else { return }
          let (index, path) = (next, photos[next].path)
          next += 1
          group.addTask { (index, try await labels(of: path)) }
        }
        for _ in 0..<2 * jobs { start() }
        while let outcome = try await group.next() {
          results[outcome.index] = outcome.result
          done += 1
          if case .failure = outcome.result { failed += 1 }
          progress(done, failed)
          start()
        }
        return results
      }
    } catch {
      throw FoveaError(error)
    }
  }

  @concurrent
  private func labels(of path: String) async throws -> Result<[Label], FoveaError> {
    try Task.checkCancellation()
    var selection = ImageLabeler.Selection()
    selection.threshold = 0
    selection.maxResults = max(1, classCount)
    do throws(FoveaError) {
      return .success(try await labeler.analyze(.file(path), selecting: selection).labels)
    } catch {
      // What a photo is to blame for leaves the others alone.
      guard error.code.rawValue.hasPrefix(ImageCode.domain) else { throw error }
      return .failure(error)
    }
  }
}
