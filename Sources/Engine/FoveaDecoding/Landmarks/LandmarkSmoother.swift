// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The filters of one object's points, from frame to frame of a video.
///
/// The first frame is unchanged. Crops are those of the unfiltered points, as in MediaPipe.
///
/// **Source:** MediaPipe 0.10.21, `pose_landmarks_detector_graph.cc` and `face_landmarks_detector_graph.cc`,
/// with `landmarks_smoothing_calculator_utils.cc` and `visibility_smoothing_calculator.cc`. Its filters of
/// points in metres and of visibility keep their state if an object is lost; these end with the object.
package struct LandmarkSmoother: Sendable, Hashable {
  /// The size of an object, in which the speed of its points is measured.
  package enum Scale: Sendable, Hashable {
    /// The side of the crop for the next frame; without one, as for `points`.
    case crop
    /// The mean of the width and the height of the box around the points.
    case points
  }

  /// Of x, y and z in the image; speeds are in sizes of the object in a second.
  private static let image = OneEuroFilter.Cutoffs(rest: 0.05, slope: 80, speed: 1)
  /// Of points in metres; speeds are in metres in a second.
  private static let metres = OneEuroFilter.Cutoffs(rest: 0.1, slope: 40, speed: 1)
  /// The weight of a new score.
  private static let newScore: Float = 0.1
  /// The least size of an object whose points are filtered, in pixels.
  private static let leastSize = 1e-6
  /// The largest number that is filtered: speeds stay finite.
  private static let farthest = 1e100

  /// The filters of x and y of all points, then of their depths, then of x, y and z in metres.
  private var filters: [OneEuroFilter] = []
  private var scores: [Float] = []

  /// Creates the filters of an object before its first frame.
  package init() {}

  /// Filters the values of the next frame.
  ///
  /// They are unchanged, and the filters begin with them, in the first frame, if the time is unknown, if the
  /// size is 0, and if there is another number of points.
  /// - Parameters:
  ///   - points: The points, in pixels of the image.
  ///   - scores: The probability of each point to be visible.
  ///   - details: The other values; presences are not filtered.
  ///   - size: The size of the object in the same pixels.
  ///   - seconds: The time since the frame before, above 0; nil if unknown.
  package mutating func smooth(
    _ points: inout [PixelPoint], scores: inout [Float], details: inout LandmarkDetails?, size: Double,
    after seconds: Double?
  ) {
    let places = points.flatMap { [$0.x, $0.y] } + (details?.depths ?? [])
    let world = (details?.world ?? []).flatMap { [Double($0.x), Double($0.y), Double($0.z)] }
    let numbers = places + world
    // False for NaN too.
    let isInRange = numbers.allSatisfy { abs($0) <= Self.farthest }
    guard let seconds, size >= Self.leastSize, isInRange, filters.count == numbers.count,
      self.scores.count == scores.count
    else {
      (filters, self.scores) = (isInRange ? numbers.map(OneEuroFilter.init) : [], scores)
      return
    }
    for index in places.indices {
      filters[index].take(numbers[index], after: seconds, scale: 1 / size, Self.image)
    }
    for index in places.count..<numbers.count {
      filters[index].take(numbers[index], after: seconds, scale: 1, Self.metres)
    }
    scores = zip(self.scores, scores).map { $0 + Self.newScore * ($1 - $0) }
    self.scores = scores
    let count = points.count
    func filtered(_ index: Int) -> Double { filters[index].filtered }
    points = (0..<count).map { PixelPoint(x: filtered(2 * $0), y: filtered(2 * $0 + 1)) }
    guard var changed = details else { return }
    changed.depths = changed.depths.indices.map { filtered(2 * count + $0) }
    changed.world = changed.world.indices.map { index in
      let first = places.count + 3 * index
      return SIMD3(Float(filtered(first)), Float(filtered(first + 1)), Float(filtered(first + 2)))
    }
    details = changed
  }
}

extension LandmarkFamily {
  /// Returns the size of an object in which `LandmarkSmoother` measures speeds.
  /// - Parameters:
  ///   - points: The points in pixels.
  ///   - crop: The crop for the next frame, in the same pixels.
  /// - Returns: The size in these pixels; 0 for families whose points are not smoothed.
  package func size(of points: [PixelPoint], next crop: OrientedBox?) -> Double {
    if smoothing == .crop, let crop { return (crop.width + crop.height) / 2 }
    let box = BoundingBox.enclosing(points)
    return smoothing == nil ? 0 : (box.width + box.height) / 2
  }
}
