// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The motion of a box with the state centre, aspect ratio and height, and noise proportional to the height.
///
/// **Source:** Wojke et al., "Simple Online and Realtime Tracking with a Deep Association Metric", 2017,
/// section 2.1; the variances are those of the authors' program, which ByteTrack keeps.
struct AspectMotion: Sendable {
  /// Centre x, centre y, width divided by height, and height.
  var filter: MotionFilter

  private static let positionPart = 1.0 / 20
  private static let velocityPart = 1.0 / 160

  init(_ box: BoundingBox) {
    let measured = Self.measurement(box)
    filter = MotionFilter(
      position: measured,
      positionVariance: Self.variance(2 * Self.positionPart * measured.w, ratio: 1e-2),
      velocityVariance: Self.variance(10 * Self.velocityPart * measured.w, ratio: 1e-5))
  }

  /// The current box; empty if ratio or height is not above 0.
  var box: BoundingBox {
    let height = filter.position.w
    let width = filter.position.z * height
    return BoundingBox(
      x: filter.position.x - width / 2, y: filter.position.y - height / 2, width: width, height: height)
  }

  /// Predicts one frame ahead; an unseen object keeps its height.
  mutating func predict(isLost: Bool) {
    if isLost { filter.velocity.w = 0 }
    let height = filter.position.w
    filter.predict(
      positionNoise: Self.variance(Self.positionPart * height, ratio: 1e-2),
      velocityNoise: Self.variance(Self.velocityPart * height, ratio: 1e-5))
  }

  mutating func correct(_ box: BoundingBox) {
    filter.correct(
      Self.measurement(box), noise: Self.variance(Self.positionPart * filter.position.w, ratio: 1e-1))
  }

  private static func measurement(_ box: BoundingBox) -> SIMD4<Double> {
    SIMD4(box.midX, box.midY, box.width / box.height, box.height)
  }

  private static func variance(_ deviation: Double, ratio: Double) -> SIMD4<Double> {
    let deviations = SIMD4(deviation, deviation, ratio, deviation)
    return deviations * deviations
  }
}
