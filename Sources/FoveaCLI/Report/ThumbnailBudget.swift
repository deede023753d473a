// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaImage
import FoveaRender
import Synchronization

/// Makes thumbnails for the first pictures of a run, and none for the others.
final class ThumbnailBudget: Sendable {
  private let left: Atomic<Int>

  init(count: Int) { left = Atomic(count) }

  /// The picture, small; nil where enough have been made.
  func thumbnail(of picture: Picture, limits: ImageLimits) throws(FoveaError) -> Thumbnail? {
    guard left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 else { return nil }
    do {
      let image =
        switch picture {
        case .file(let path): try EncodedImage(path: path, limits: limits)
        case .bytes(let bytes, let name): try EncodedImage(bytes: bytes, name: name, limits: limits)
        }
      return try Thumbnail(of: image)
    } catch {
      throw FoveaError(error)
    }
  }
}
