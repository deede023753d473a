// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The rule for the crop that a landmark model reads, from the box and the keypoints of a detection.
///
/// It is a rotated square; for people that any detector finds, an upright rectangle.
package struct LandmarkCrop: Sendable, Hashable {
  /// The square before its rotation.
  enum Extent: Sendable, Hashable {
    /// The square around a circle, whose centre is the first point and which passes through the second one.
    case circle
    /// The square with the middle and the longer side of the box, moved up in the crop by this share of the
    /// box's height.
    case box(rise: Double)
    /// The upright rectangle around the middle of the box that encloses it, whose width is this multiple of
    /// its height.
    case upright(proportion: Double)
  }

  /// The numbers of the two points that show the rotation.
  private let from: Int
  private let to: Int
  /// Whether the second point lies above the first one in the crop; false if it lies to the right.
  private let isUpward: Bool
  private let extent: Extent
  /// The factor of the square's side.
  private let scale: Double

  private init(from: Int, to: Int, isUpward: Bool, _ extent: Extent, scale: Double) {
    (self.from, self.to, self.isUpward, self.extent, self.scale) = (from, to, isUpward, extent, scale)
  }

  static let ofBody = LandmarkCrop(from: 0, to: 1, isUpward: true, .circle, scale: 1.25)
  static let ofFace = LandmarkCrop(from: 0, to: 1, isUpward: false, .box(rise: 0), scale: 1.5)

  /// Returns the rule for the boxes of people and a model with this input.
  ///
  /// **Source:** MMPose, `GetBBoxCenterScale` with a padding of 1.25, and `TopdownAffine`, which extends the
  /// box to the proportions of the input.
  static func ofPerson(_ input: PixelSize) -> LandmarkCrop {
    let proportion = Double(input.width) / Double(max(input.height, 1))
    return LandmarkCrop(from: 0, to: 0, isUpward: true, .upright(proportion: proportion), scale: 1.25)
  }

  /// Returns the rule for the detections of a detector; nil for families that no landmark model follows.
  ///
  /// **Source:** MediaPipe 0.10, `pose_detection_to_roi.pbtxt`, for the detector of 128 × 128 that of 0.8.2;
  /// `face_detection_front_detection_to_roi.pbtxt`; `palm_detection_detection_to_roi.pbtxt`.
  /// - Parameters:
  ///   - family: The detector's family.
  ///   - side: The width of its input in pixels.
  package init?(of family: DetectorFamily, side: Int) {
    switch family {
    case .mediaPipePose where side == 128:
      self.init(from: 2, to: 3, isUpward: true, .circle, scale: 1.5)
    case .mediaPipePose: self = Self.ofBody
    case .mediaPipeFace: self = Self.ofFace
    case .mediaPipePalm: self.init(from: 0, to: 2, isUpward: true, .box(rise: 0.5), scale: 2.6)
    default: return nil
    }
  }

  /// Returns the crop of a detection.
  /// - Parameters:
  ///   - box: The detection's box, in pixels of the upright image.
  ///   - points: Its keypoints, in the same pixels.
  /// - Returns: The crop in these pixels, which may reach beyond the image; nil without the points, and if
  ///   it would cover nothing.
  package func square(box: BoundingBox, points: [PixelPoint]) -> OrientedBox? {
    if case .upright(let proportion) = extent {
      let width = max(box.width, box.height * proportion)
      let crop = OrientedBox(
        center: PixelPoint(x: box.midX, y: box.midY), width: scale * width,
        height: scale * width / proportion,
        angle: 0)
      return crop.isEmpty ? nil : crop
    }
    guard points.indices.contains(from), points.indices.contains(to) else { return nil }
    let (x, y) = (points[to].x - points[from].x, points[to].y - points[from].y)
    let angle = atan2(y, x) + (isUpward ? Double.pi / 2 : 0)
    var center = points[from]
    var side = 2 * (x * x + y * y).squareRoot()
    if case .box(let rise) = extent {
      side = max(box.width, box.height)
      center = PixelPoint(
        x: box.midX + rise * box.height * sin(angle), y: box.midY - rise * box.height * cos(angle))
    }
    let square = OrientedBox(center: center, width: scale * side, height: scale * side, angle: angle)
    return square.isEmpty ? nil : square
  }
}
