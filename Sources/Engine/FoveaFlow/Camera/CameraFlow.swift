// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Finds the camera's motion from the image outside the boxes.
///
/// At most 200 corners, spread over the image, are followed forward and backward by pyramidal Lucas-Kanade;
/// the shift, rotation and zoom that most of them agree on to within 3 pixels is refined by least squares
/// over these corners.
///
/// The value holds only working memory: no result depends on an earlier call.
///
/// **Source:** Shi, Tomasi, "Good Features to Track", CVPR 1994; Fischler, Bolles, "Random Sample Consensus",
/// 1981.
public struct CameraFlow: Sendable {
  /// The limit of the forward-backward error of a corner, in pixels of the pyramid's first level; corners at
  /// or above it are ignored.
  private static let largestError = 1.0
  /// The distance below which a corner agrees with the common motion, in pixels of the image.
  private static let tolerance = 3.0
  /// The number of pairs of corners to try.
  private static let iterations = 100
  /// The minimum number of corners that must agree for a result.
  private static let leastInliers = 20

  private var corners = CornerSearch()
  private var matches: [PointMatch] = []

  /// Creates a value without working memory; the first call allocates it.
  public init() {}

  /// Finds the camera's motion between two images.
  /// - Parameters:
  ///   - previous: The previous image.
  ///   - current: The current image.
  ///   - boxes: The moving objects in `previous`, in pixels of the stored image; corners in them are ignored.
  /// - Returns: The motion from `previous` to `current`, in pixels of the stored image; nil if fewer than 20
  ///   corners agree: assume a still camera, or find the motion by other means.
  /// - Throws: `FlowError` with `size-mismatch` if the images have different sizes, `no-picture` if one is
  ///   empty.
  public mutating func motion(
    from previous: GreyPyramid, to current: GreyPyramid, outside boxes: [BoundingBox] = []
  ) throws(FlowError) -> CameraMotion? {
    try FlowError.check(previous, current)
    matches.removeAll(keepingCapacity: true)
    unsafe PyramidPair.with(previous, current) { pair in
      unsafe match(pair, outside: boxes, scale: previous.scale)
    }
    let found = Similarity.consensus(
      matches, tolerance: Self.tolerance, iterations: Self.iterations, leastInliers: Self.leastInliers)
    return found.map { CameraMotion(a: $0.a, b: -$0.b, c: $0.b, d: $0.a, dx: $0.dx, dy: $0.dy) }
  }

  /// Follows the corners of the first image.
  private mutating func match(_ pair: PyramidPair, outside boxes: [BoundingBox], scale: Int) {
    unsafe corners.search(pair, outside: boxes, scale: scale)
    let top = unsafe pair.levels.count - 1
    for corner in corners.corners {
      guard let coarse = unsafe pair.displacement(corner.x, corner.y, levels: min(1, top)...top, from: .zero),
        let found = unsafe pair.displacementAndError(corner.x, corner.y, levels: 0...0, from: coarse),
        found.error < Self.largestError
      else { continue }
      // The centre of a pixel of the first level is the centre of the image's pixel at `scale` times its
      // index.
      let from = SIMD2(Double(corner.x), Double(corner.y)) * Double(scale) + SIMD2(0.5, 0.5)
      matches.append(PointMatch(from: from, to: from + found.displacement * Double(scale)))
    }
  }
}
