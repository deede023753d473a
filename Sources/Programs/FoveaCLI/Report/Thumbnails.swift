// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaTraining
import Synchronization

/// The limited number of thumbnails of a page about labelled photos.
struct ReportThumbnails {
  private var left: Int

  private static let side = 160
  private static let limit = 300

  /// Creates the thumbnails of a page.
  /// - Parameter isEmpty: Whether the page has no thumbnails.
  init(isEmpty: Bool) { left = isEmpty ? 0 : ReportThumbnails.limit }

  /// Returns the thumbnail of a photo or its crop; nil if the limit is reached or the photo cannot be opened.
  mutating func next(_ photo: TrainingSet.Photo) -> Thumbnail? {
    guard left > 0 else { return nil }
    left -= 1
    // A photo that was deleted since then appears in the report without a thumbnail.
    guard let image = try? EncodedImage(path: photo.path) else { return nil }
    guard let crop = photo.crop else { return try? Thumbnail(of: image, longestSide: ReportThumbnails.side) }
    return try? Thumbnail(of: image, region: crop, longestSide: ReportThumbnails.side)
  }
}

/// The number of photos that can still get a thumbnail; only the first photos of a run get one.
final class ThumbnailBudget: Sendable {
  private let left: Atomic<Int>

  init(count: Int) { left = Atomic(count) }

  /// Returns whether to make one more thumbnail, and counts it.
  func take() -> Bool { left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 }

  /// Uncounts a thumbnail that was not made.
  func giveBack() { left.wrappingAdd(1, ordering: .relaxed) }
}
