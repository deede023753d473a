// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaGeometry

/// A box as in COCO's files: the upper left corner and the size, in pixels.
///
/// Width and height are stored as in the file, not as differences of edges as in `BoundingBox`: the last
/// digit of an overlap decides whether it reaches a threshold.
public struct COCOBox: Sendable, Hashable {
  /// The left edge in pixels.
  public var x: Double
  /// The top edge in pixels.
  public var y: Double
  /// The width in pixels, 0 or more.
  public var width: Double
  /// The height in pixels, 0 or more.
  public var height: Double

  /// Creates a box from its upper left corner and its size, in pixels.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a box from its edges.
  package init(_ box: BoundingBox) {
    self.init(x: box.minX, y: box.minY, width: box.width, height: box.height)
  }

  /// Creates the smallest box around some points; nil without points.
  package init?(around points: [PixelPoint]) {
    guard let first = points.first else { return nil }
    var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
    for point in points {
      (left, right) = (min(left, point.x), max(right, point.x))
      (top, bottom) = (min(top, point.y), max(bottom, point.y))
    }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The covered area in square pixels.
  package var area: Double { width * height }

  /// Returns the overlap of this detection with a box of the ground truth, 0…1.
  ///
  /// The intersection over union; for a crowd, which represents many objects, the share of the detection
  /// inside it. 0 if one of the two has no area.
  ///
  /// **Source:** `bbIou` of `maskApi.c`, pycocotools 2.0.11: the definition and the order of the operations.
  /// - Parameters:
  ///   - truth: A box of the ground truth.
  ///   - isCrowd: Whether that box is around a crowd.
  /// - Returns: The overlap.
  public func overlap(with truth: COCOBox, isCrowd: Bool) -> Double {
    let sharedWidth = min(width + x, truth.width + truth.x) - max(x, truth.x)
    guard sharedWidth > 0 else { return 0 }
    let sharedHeight = min(height + y, truth.height + truth.y) - max(y, truth.y)
    guard sharedHeight > 0 else { return 0 }
    let shared = sharedWidth * sharedHeight
    return shared / (isCrowd ? area : area + truth.area - shared)
  }

  /// The problem with the box: edges that are not finite, or a negative size; nil if there is none.
  package var problem: String? {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, area.isFinite else {
      return "bbox \(text) has a number that is not finite or too large"
    }
    if width < 0 { return "bbox \(text) has a negative width" }
    if height < 0 { return "bbox \(text) has a negative height" }
    return nil
  }

  /// The numbers of the box, for messages.
  private var text: String {
    "[\([x, y, width, height].map(DecimalText.exact).joined(separator: ", "))]"
  }
}
