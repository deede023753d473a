// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The motion of a box: its centre and size at constant velocities, with noise proportional to its size.
struct BoxMotion: Sendable {
  /// Centre x, centre y, width and height in pixels.
  var filter: MotionFilter

  /// The noise of a box, as fractions of its width (for x and width) and height (for y and height).
  struct Noise: Sendable {
    /// The deviation that a step adds to each coordinate, and the deviation of a measured centre.
    var position: Double
    /// The deviation that a step adds to each velocity.
    var velocity: Double
    /// The initial deviation of each velocity.
    var birthVelocity: Double
    /// The deviation of a measured width and height.
    var size: Double

    /// The deviations of a measured box.
    var measurement: SIMD4<Double> { SIMD4(position, position, size, size) }
  }

  /// Creates a motion at a box, at rest.
  init(_ box: BoundingBox, noise: Noise) {
    let measured = Self.measurement(box)
    let size = Self.size(measured)
    filter = MotionFilter(
      position: measured, positionVariance: Self.square(2 * noise.position * size),
      velocityVariance: Self.square(noise.birthVelocity * size))
  }

  /// The current box.
  var box: BoundingBox {
    let half = SIMD2(filter.position.z, filter.position.w) / 2
    let low = SIMD2(filter.position.x, filter.position.y) - half
    let high = SIMD2(filter.position.x, filter.position.y) + half
    return BoundingBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
  }

  /// Predicts one frame ahead.
  /// - Parameters:
  ///   - keepsSize: Whether the size stays constant, as for an unseen object.
  ///   - noise: The noise of the step.
  mutating func predict(keepsSize: Bool, noise: Noise) {
    if keepsSize {
      filter.velocity.z = 0
      filter.velocity.w = 0
    }
    let size = Self.size(filter.position)
    filter.predict(
      positionNoise: Self.square(noise.position * size), velocityNoise: Self.square(noise.velocity * size))
    filter.position.z = max(filter.position.z, 1)
    filter.position.w = max(filter.position.w, 1)
  }

  /// Updates the state with a measured box, with `factor` times the usual variance.
  mutating func correct(_ box: BoundingBox, noise: Noise, factor: Double = 1) {
    let variance = Self.square(noise.measurement * Self.size(filter.position))
    filter.correct(Self.measurement(box), noise: variance * factor)
  }

  /// Applies the motion of the camera.
  mutating func apply(_ motion: CameraMotion) {
    let scale = abs(motion.a * motion.d - motion.b * motion.c).squareRoot()
    let position = filter.position
    let velocity = filter.velocity
    filter.position = SIMD4(
      motion.a * position.x + motion.b * position.y + motion.dx,
      motion.c * position.x + motion.d * position.y + motion.dy, position.z * scale, position.w * scale)
    filter.velocity = SIMD4(
      motion.a * velocity.x + motion.b * velocity.y, motion.c * velocity.x + motion.d * velocity.y,
      velocity.z * scale, velocity.w * scale)
    filter.positionVariance *= scale * scale
    filter.covariance *= scale * scale
    filter.velocityVariance *= scale * scale
  }

  /// Returns the centre and size of a box.
  static func measurement(_ box: BoundingBox) -> SIMD4<Double> {
    SIMD4(box.midX, box.midY, box.width, box.height)
  }

  private static func size(_ position: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(position.z, position.w, position.z, position.w)
  }

  private static func square(_ value: SIMD4<Double>) -> SIMD4<Double> { value * value }
}
