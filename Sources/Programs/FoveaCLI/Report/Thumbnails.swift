// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaTraining
import Synchronization

/// The thumbnails of a page about labelled photos, as many as it may have.
struct ReportThumbnails {
  private var left: Int

  private static let side = 160
  private static let limit = 300

  /// Makes them.
  /// - Parameter isEmpty: Whether the page has none.
  init(isEmpty: Bool) { left = isEmpty ? 0 : ReportThumbnails.limit }

  /// The thumbnail of a photo, or of its part that is meant; nil where there are enough.
  mutating func next(_ photo: TrainingSet.Photo) -> Thumbnail? {
    guard left > 0 else { return nil }
    left -= 1
    // A photo that has gone since has no thumbnail in the report; its name is there all the same.
    guard let image = try? EncodedImage(path: photo.path) else { return nil }
    guard let crop = photo.crop else { return try? Thumbnail(of: image, longestSide: ReportThumbnails.side) }
    return try? Thumbnail(of: image, region: crop, longestSide: ReportThumbnails.side)
  }
}

/// How many photos of a run get a thumbnail: the first ones, and none of the others.
final class ThumbnailBudget: Sendable {
  private let left: Atomic<Int>

  init(count: Int) { left = Atomic(count) }

  /// Whether one more is to be made, which is counted.
  func take() -> Bool { left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 }

  /// Takes the count of one back that was not made.
  func giveBack() { left.wrappingAdd(1, ordering: .relaxed) }
}
