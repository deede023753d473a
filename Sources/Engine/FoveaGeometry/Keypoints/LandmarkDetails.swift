// SPDX-License-Identifier: Apache-2.0

/// The values of a landmark model besides the keypoints in the image and their scores.
package struct LandmarkDetails: Sendable, Hashable {
  /// z of each keypoint in pixels of the image, as many as keypoints; smaller nearer to the camera.
  ///
  /// It is 0 at the middle of a body's hips, a hand's wrist, and the middle of a head.
  package var depths: [Double]
  /// The probability of each keypoint to be in the image, 0…1; empty for models without it.
  package var presences: [Float]
  /// Each keypoint in metres from the middle of the object, in the axes of the unrotated input image; empty
  /// for models without them.
  package var world: [SIMD3<Float>]
  /// The probability that a hand is a right one, 0…1; nil for models without it.
  package var rightHand: Float?

  /// Creates details.
  package init(depths: [Double], presences: [Float] = [], world: [SIMD3<Float>] = [], rightHand: Float? = nil)
  {
    self.depths = depths
    self.presences = presences
    self.world = world
    self.rightHand = rightHand
  }

  /// Maps the axes of points in metres like those of the image.
  package mutating func mapAxes(_ map: (PixelPoint) -> PixelPoint) {
    let origin = map(PixelPoint(x: 0, y: 0))
    world = world.map { point in
      let end = map(PixelPoint(x: Double(point.x), y: Double(point.y)))
      return SIMD3(Float(end.x - origin.x), Float(end.y - origin.y), point.z)
    }
  }
}
