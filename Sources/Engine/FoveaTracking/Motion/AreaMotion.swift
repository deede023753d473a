// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The motion of a box with the state centre, area and aspect ratio, of which the ratio has no velocity.
///
/// **Source:** Bewley et al., "Simple Online and Realtime Tracking", 2016, section 3.2. The paper does not
/// give variances; these are from the authors' program: for a measurement, 1 for the centre and 10 for area
/// and ratio; for a new box, 10, and 10,000 for its velocities. Each frame adds 1, but 0.01 for the
/// velocities of the centre and 0.0001 for the velocity of the area.
struct AreaMotion: Sendable {
  /// Centre x, centre y, area in square pixels, and width divided by height.
  var filter: MotionFilter

  private static let measurementNoise = SIMD4(1.0, 1, 10, 10)
  private static let positionNoise = SIMD4<Double>(repeating: 1)
  private static let velocityNoise = SIMD4(0.01, 0.01, 0.0001, 0)

  init(_ box: BoundingBox) {
    filter = MotionFilter(
      position: Self.measurement(box), positionVariance: SIMD4(repeating: 10),
      velocityVariance: SIMD4(10_000, 10_000, 10_000, 0))
  }

  /// The current box; empty if area or ratio is not above 0.
  var box: BoundingBox {
    let width = (filter.position.z * filter.position.w).squareRoot()
    let height = filter.position.z / width
    return BoundingBox(
      x: filter.position.x - width / 2, y: filter.position.y - height / 2, width: width, height: height)
  }

  /// Predicts one frame ahead; an area that would become 0 or less stays constant.
  mutating func predict() {
    if filter.position.z + filter.velocity.z <= 0 { filter.velocity.z = 0 }
    filter.predict(positionNoise: Self.positionNoise, velocityNoise: Self.velocityNoise)
  }

  mutating func correct(_ box: BoundingBox) {
    filter.correct(Self.measurement(box), noise: Self.measurementNoise)
  }

  private static func measurement(_ box: BoundingBox) -> SIMD4<Double> {
    SIMD4(box.midX, box.midY, box.area, box.width / box.height)
  }
}
