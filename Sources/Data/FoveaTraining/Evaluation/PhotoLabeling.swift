// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaImage

/// Labels many photos, several at a time, with all scores of a model.
struct PhotoLabeling: Sendable {
  let labeler: ImageLabeler
  let classCount: Int
  let jobs: Int

  private typealias Outcome = (index: Int, result: Result<[Label], FoveaError>)

  /// Labels all photos.
  /// - Parameters:
  ///   - photos: The photos.
  ///   - progress: Called with the number of finished photos, and of those that could not be opened.
  /// - Returns: The labels of each photo, or its error.
  /// - Throws: `cancelled`, and failures of the model that no single photo causes.
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
      // An error of one photo does not affect the others.
      guard error.code.rawValue.hasPrefix(ImageCode.domain) else { throw error }
      return .failure(error)
    }
  }
}
