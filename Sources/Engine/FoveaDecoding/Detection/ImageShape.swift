// SPDX-License-Identifier: Apache-2.0

/// The image that an input's shape is made for.
package struct ImageShape: Sendable, Hashable {
  /// Pixels from left to right; −1 where the model leaves it open.
  package let width: Int
  /// Pixels from top to bottom; −1 where the model leaves it open.
  package let height: Int
  /// Whether a pixel is one number, the brightness.
  package let isGrey: Bool
  /// Whether the three numbers of a pixel stand in planes, as PyTorch writes them.
  package let isPlanar: Bool

  /// The fewest pixels of a side without a dimension for channels: a shorter one is no image.
  private static let leastSide = 8

  /// Reads a shape: [1, height, width, 3], [1, 3, height, width], [1, height, width, 1], [1, 1, height, width] or
  /// [1, height, width]; nil for other shapes.
  /// - Parameter shape: The sizes of the dimensions; −1 for those that are open.
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
