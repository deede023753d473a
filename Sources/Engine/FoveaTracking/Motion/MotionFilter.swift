// SPDX-License-Identifier: Apache-2.0

/// Four numbers that move at constant velocities, filtered independently.
///
/// The usual Kalman filter of a box has a state of eight and matrices that are diagonal in the four
/// coordinates. Such a filter separates exactly into four filters of a position and its velocity, without
/// matrix arithmetic. One step is one frame.
///
/// **Source:** Kalman, "A New Approach to Linear Filtering and Prediction Problems", 1960.
struct MotionFilter: Sendable {
  /// The four coordinates, in pixels or the units of the tracker's measurements.
  var position: SIMD4<Double>
  /// The change of each coordinate per frame.
  var velocity: SIMD4<Double>
  /// The variance of each position.
  var positionVariance: SIMD4<Double>
  /// The covariance of each position and its velocity.
  var covariance: SIMD4<Double>
  /// The variance of each velocity.
  var velocityVariance: SIMD4<Double>

  /// Creates a filter at rest.
  init(position: SIMD4<Double>, positionVariance: SIMD4<Double>, velocityVariance: SIMD4<Double>) {
    self.position = position
    self.velocity = .zero
    self.positionVariance = positionVariance
    self.covariance = .zero
    self.velocityVariance = velocityVariance
  }

  /// Predicts one frame ahead.
  /// - Parameters:
  ///   - positionNoise: The variance that each position gains.
  ///   - velocityNoise: The variance that each velocity gains.
  mutating func predict(positionNoise: SIMD4<Double>, velocityNoise: SIMD4<Double>) {
    position += velocity
    positionVariance += 2 * covariance + velocityVariance + positionNoise
    covariance += velocityVariance
    velocityVariance += velocityNoise
  }

  /// Updates the filter with a measurement.
  /// - Parameters:
  ///   - measured: The four measured coordinates.
  ///   - noise: The variance of each measurement.
  mutating func correct(_ measured: SIMD4<Double>, noise: SIMD4<Double>) {
    let residual = measured - position
    let inverse = 1 / (positionVariance + noise)
    let gain = positionVariance * inverse
    let velocityGain = covariance * inverse
    position += gain * residual
    velocity += velocityGain * residual
    velocityVariance -= velocityGain * covariance
    covariance *= 1 - gain
    positionVariance *= 1 - gain
  }
}
