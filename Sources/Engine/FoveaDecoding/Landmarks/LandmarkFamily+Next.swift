// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

extension LandmarkFamily {
  /// Returns the square that shows the object in the next frame, from its points in this one; for people, the
  /// detector finds them in each frame.
  ///
  /// **Source:** MediaPipe 0.10, `pose_landmarks_to_roi.pbtxt`, `face_landmark_landmarks_to_roi.pbtxt`,
  /// `hand_landmark_landmarks_to_roi.pbtxt` with `hand_landmarks_to_rect_calculator.cc`.
  /// - Parameters:
  ///   - points: The points in pixels of the upright image.
  ///   - helpers: The other points of the model, in the same pixels.
  /// - Returns: The square in these pixels; nil for people, and if it would cover nothing.
  package func nextSquare(points: [PixelPoint], helpers: [PixelPoint]) -> OrientedBox? {
    guard points.count == pointCount, pointCount + helpers.count == rows else { return nil }
    switch self {
    case .body: return LandmarkCrop.ofBody.square(box: .enclosing(points), points: helpers)
    case .rtmPose: return nil
    case .face, .faceParts, .faceWithIrises:
      // The outer corners of the eyes.
      return LandmarkCrop.ofFace.square(box: .enclosing(points), points: [points[33], points[263]])
    default: return Self.nextSquare(ofHand: points)
    }
  }

  /// Returns the box around the points that have at least a score, or around all points if that would cover
  /// nothing.
  /// - Parameters:
  ///   - points: The points.
  ///   - scores: Their scores; empty for models without them.
  ///   - least: The least score.
  /// - Returns: The box in the unit of the points; empty if all are at one place.
  package static func box(around points: [PixelPoint], scores: [Float], least: Float) -> BoundingBox {
    let seen = points.indices.filter { scores.isEmpty || scores[$0] >= least }
    let box = BoundingBox.enclosing(seen.map { points[$0] })
    return box.isEmpty ? .enclosing(points) : box
  }

  /// The wrist and the lower joints of a hand: the tips move too much.
  private static let steadyJoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

  private static func nextSquare(ofHand points: [PixelPoint]) -> OrientedBox? {
    let (wrist, index, middle, ring) = (points[0], points[5], points[9], points[13])
    let x = ((index.x + ring.x) / 2 + middle.x) / 2 - wrist.x
    let y = ((index.y + ring.y) / 2 + middle.y) / 2 - wrist.y
    let angle = atan2(y, x) + Double.pi / 2
    let (cosine, sine) = (cos(angle), sin(angle))
    // In the axes of the crop.
    let box = BoundingBox.enclosing(
      steadyJoints.map { joint in
        PixelPoint(
          x: points[joint].x * cosine + points[joint].y * sine,
          y: points[joint].y * cosine - points[joint].x * sine)
      })
    let (across, along) = (box.midX, box.midY - 0.1 * box.height)
    let side = 2 * max(box.width, box.height)
    let square = OrientedBox(
      center: PixelPoint(x: across * cosine - along * sine, y: across * sine + along * cosine),
      width: side, height: side, angle: angle)
    return square.isEmpty ? nil : square
  }
}
