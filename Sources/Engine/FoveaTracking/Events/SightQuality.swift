// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The quality of an object's box in one frame, by which the best image of the object is chosen.
package struct SightQuality: Sendable, Hashable {
  /// The share of the frame from which a larger box is no better.
  private static let enoughArea = 0.1
  /// The factor by which a box has to be better than the best one so far.
  private static let step = 1.1

  /// Score × min(1, √(visible area ÷ a tenth of the frame)), halved if the box is within a pixel of the
  /// frame's edge; 0 if nothing is visible.
  package let value: Double

  /// Computes the quality of a box.
  /// - Parameters:
  ///   - box: The box in pixels of the frame; edges may lie outside.
  ///   - score: The score, 0…1.
  ///   - size: The size of the frame.
  package init(_ box: BoundingBox, score: Double, in size: PixelSize) {
    let shown = box.clamped(to: size)
    guard !shown.isEmpty, score > 0 else {
      value = 0
      return
    }
    let share = shown.area / (Double(size.width) * Double(size.height))
    let isCut =
      box.minX < 1 || box.minY < 1 || box.maxX > Double(size.width) - 1 || box.maxY > Double(size.height) - 1
    value = score * min(1, (share / Self.enoughArea).squareRoot()) * (isCut ? 0.5 : 1)
  }

  /// Whether this quality is better by a tenth, so that its image replaces the other.
  package func replaces(_ other: SightQuality) -> Bool { value >= Self.step * other.value }
}
