// SPDX-License-Identifier: Apache-2.0

/// The image described by an input's shape.
package struct ImageShape: Sendable, Hashable {
  /// The width in pixels; −1 if the model leaves it open.
  package let width: Int
  /// The height in pixels; −1 if the model leaves it open.
  package let height: Int
  /// Whether a pixel is one number, its brightness.
  package let isGrey: Bool
  /// Whether the channels are stored as planes, as in PyTorch.
  package let isPlanar: Bool

  /// The smallest side of an image whose shape has no channel dimension.
  private static let leastSide = 8

  /// Reads a shape: [1, height, width, 3], [1, 3, height, width], [1, height, width, 1],
  /// [1, 1, height, width] or [1, height, width]; nil for other shapes.
  /// - Parameter shape: The sizes of the dimensions; −1 for open ones.
  package init?(_ shape: [Int]) {
    guard shape.first == 1 else { return nil }
    if shape.count == 3, shape[1] >= Self.leastSide, shape[2] >= Self.leastSide {
      (height, width, isGrey, isPlanar) = (shape[1], shape[2], true, false)
      return
    }
    guard shape.count == 4 else { return nil }
    switch (shape[1], shape[3]) {
    case (_, 3): (height, width, isGrey, isPlanar) = (shape[1], shape[2], false, false)
    case (3, let columns) where columns != 1:
      (height, width, isGrey, isPlanar) = (shape[2], columns, false, true)
    case (_, 1): (height, width, isGrey, isPlanar) = (shape[1], shape[2], true, false)
    case (1, let columns): (height, width, isGrey, isPlanar) = (shape[2], columns, true, false)
    default: return nil
    }
  }

  /// Whether both sides are known.
  package var isFixed: Bool { width > 0 && height > 0 }
}
