// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTracking

/// Converts boxes and motion between a stored frame and its upright view.
///
/// All frames of a sequence share it.
struct FrameOrientation: Sendable, Equatable {
  let size: PixelSize
  let orientation: Orientation

  func upright(_ box: BoundingBox) -> BoundingBox {
    orientation == .up ? box : orientation.uprightBox(fromStored: box, stored: size)
  }

  func stored(_ box: BoundingBox) -> BoundingBox {
    orientation == .up ? box : orientation.storedBox(fromUpright: box, stored: size)
  }

  /// Converts the motion of the stored image to the motion of the upright one.
  ///
  /// With p' = M p + t for stored points, and u = R p + s for the rotation: u' = R M R⁻¹ (u − s) + R t + s.
  func upright(_ motion: CameraMotion) -> CameraMotion {
    guard orientation != .up else { return motion }
    // Three points define a motion: the targets of the origin and the two unit points of the upright view.
    let origin = moved(0, 0, motion)
    let right = moved(1, 0, motion)
    let below = moved(0, 1, motion)
    return CameraMotion(
      a: right.x - origin.x, b: below.x - origin.x, c: right.y - origin.y, d: below.y - origin.y,
      dx: origin.x, dy: origin.y)
  }

  /// Returns the new position of a point of the upright view after the stored image moves.
  private func moved(_ x: Double, _ y: Double, _ motion: CameraMotion) -> (x: Double, y: Double) {
    let point = stored(BoundingBox(minX: x, minY: y, maxX: x, maxY: y))
    let x = motion.a * point.minX + motion.b * point.minY + motion.dx
    let y = motion.c * point.minX + motion.d * point.minY + motion.dy
    let corner = upright(BoundingBox(minX: x, minY: y, maxX: x, maxY: y))
    return (corner.minX, corner.minY)
  }
}

extension FrameOrientation {
  init(_ frame: VideoFrame) { self.init(size: frame.pixels.size, orientation: frame.pixels.orientation) }
}

extension FrameTime {
  init(_ frame: VideoFrame) { self.init(number: frame.number, seconds: frame.seconds) }
}
