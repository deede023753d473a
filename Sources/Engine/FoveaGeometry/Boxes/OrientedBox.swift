// SPDX-License-Identifier: Apache-2.0

/// A rectangle at any angle, in pixels, as detectors of aerial images find.
public struct OrientedBox: Sendable, Hashable, Codable {
  /// The middle, in pixels.
  public var center: PixelPoint
  /// The length of the side that is horizontal at an angle of 0, in pixels.
  public var width: Double
  /// The length of the other side, in pixels.
  public var height: Double
  /// The rotation in radians, clockwise as seen on the screen: from x to y, which points down.
  ///
  /// Any finite angle is possible; ``normalized`` has the one from −π/4 to below 3π/4.
  public var angle: Double

  /// Creates a box from its middle, its size before the rotation, and the rotation in radians, clockwise.
  public init(center: PixelPoint, width: Double, height: Double, angle: Double) {
    self.center = center
    self.width = width
    self.height = height
    self.angle = angle
  }

  /// Creates an upright box.
  public init(_ box: BoundingBox) {
    self.init(
      center: PixelPoint(x: box.midX, y: box.midY), width: box.width, height: box.height, angle: 0)
  }

  /// Whether the box covers nothing: a number is not finite, or width or height is zero or less.
  public var isEmpty: Bool {
    !(width > 0 && height > 0 && width.isFinite && height.isFinite && center.isFinite && angle.isFinite)
  }

  /// The covered area in square pixels; 0 for an empty box.
  public var area: Double { isEmpty ? 0 : width * height }

  /// The same rectangle with an angle from −π/4 to below 3π/4, the range in which YOLO models are trained.
  ///
  /// Half a turn changes nothing, so each rectangle has one such angle. An empty box is returned unchanged.
  public var normalized: OrientedBox {
    guard !isEmpty else { return self }
    var box = self
    let first = -Double.pi / 4
    var rotation = (angle - first).truncatingRemainder(dividingBy: .pi)
    if rotation < 0 { rotation += .pi }
    // Rounding may have reached the next half turn.
    box.angle = rotation < .pi ? first + rotation : first
    return box
  }

  /// The four corners, clockwise as seen on the screen, from the one that is at the top left at an angle of
  /// 0; empty for an empty box.
  public var corners: [PixelPoint] {
    guard !isEmpty else { return [] }
    return [(0, 0), (1, 0), (1, 1), (0, 1)].map { NormalizedPoint(x: $0, y: $1).pixels(in: self) }
  }

  /// The smallest upright box around the corners; empty for an empty box.
  public var hull: BoundingBox {
    guard !isEmpty else { return BoundingBox(x: center.x, y: center.y, width: 0, height: 0) }
    let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
    let (x, y) = ((width * cosine + height * sine) / 2, (width * sine + height * cosine) / 2)
    return BoundingBox(minX: center.x - x, minY: center.y - y, maxX: center.x + x, maxY: center.y + y)
  }

  /// Returns the overlap of the Gaussian distributions of two boxes, 0…1: 1 for the same rectangle.
  ///
  /// Unlike the intersection over union it changes smoothly with the angle, and is above 0 for neighbours
  /// that do not touch. 0 if either box is empty.
  ///
  /// **Source:** Llerena et al., "Gaussian Bounding Boxes and Probabilistic Intersection-over-Union for
  /// Object Detection", arXiv 2106.06072.
  public func probabilisticIoU(with other: OrientedBox) -> Double {
    guard !isEmpty, !other.isEmpty else { return 0 }
    return GaussianBox(self).overlap(with: GaussianBox(other))
  }
}

extension OrientedBox {
  /// Returns the box moved and scaled as one upright box becomes another: with an object that moves between
  /// frames, or from a model's input or a tile to the whole image.
  ///
  /// If both directions are not scaled alike, the rotated rectangle would become a parallelogram: the result
  /// has the lengths and the direction of its sides.
  /// - Returns: The box; one that covers nothing if a box is empty or not finite.
  package func moved(from old: BoundingBox, to new: BoundingBox) -> OrientedBox {
    guard !old.isEmpty, !new.isEmpty else {
      return OrientedBox(center: center, width: 0, height: 0, angle: 0)
    }
    let (scaleX, scaleY) = (new.width / old.width, new.height / old.height)
    return mapped { point in
      PixelPoint(
        x: new.minX + (point.x - old.minX) * scaleX, y: new.minY + (point.y - old.minY) * scaleY)
    }
  }

  /// Returns the box whose middle and sides are mapped by `place`, an affine map.
  fileprivate func mapped(_ place: (PixelPoint) -> PixelPoint) -> OrientedBox {
    let (cosine, sine) = (cos(angle), sin(angle))
    let middle = place(center)
    let along = place(PixelPoint(x: center.x + width * cosine, y: center.y + width * sine))
    let across = place(PixelPoint(x: center.x - height * sine, y: center.y + height * cosine))
    func length(_ end: PixelPoint) -> Double {
      let (x, y) = (end.x - middle.x, end.y - middle.y)
      return (x * x + y * y).squareRoot()
    }
    return OrientedBox(
      center: middle, width: length(along), height: length(across),
      angle: atan2(along.y - middle.y, along.x - middle.x)
    ).normalized
  }
}

extension Orientation {
  /// Maps a rotated box of the upright image to the pixels of the stored image.
  /// - Parameters:
  ///   - box: A box in pixels of the upright image.
  ///   - stored: The size of the stored image.
  /// - Returns: The same rectangle in pixels of the stored image, its angle ``OrientedBox/normalized``.
  public func storedBox(fromUpright box: OrientedBox, stored: PixelSize) -> OrientedBox {
    self == .up ? box : box.mapped { storedPoint(fromUpright: $0, stored: stored) }
  }

  /// Maps a rotated box of the stored image to the pixels of the upright image.
  /// - Parameters:
  ///   - box: A box in pixels of the stored image.
  ///   - stored: The size of the stored image.
  /// - Returns: The same rectangle in pixels of the upright image, its angle ``OrientedBox/normalized``.
  public func uprightBox(fromStored box: OrientedBox, stored: PixelSize) -> OrientedBox {
    self == .up ? box : box.mapped { uprightPoint(fromStored: $0, stored: stored) }
  }
}

extension NormalizedPoint {
  /// Returns the point in the pixels of a rotated region: fraction 0 is the edge that is at the left (top) at
  /// an angle of 0, fraction 1 the opposite one.
  package func pixels(in region: OrientedBox) -> PixelPoint {
    let (cosine, sine) = (cos(region.angle), sin(region.angle))
    let (along, across) = ((x - 0.5) * region.width, (y - 0.5) * region.height)
    return PixelPoint(
      x: region.center.x + along * cosine - across * sine,
      y: region.center.y + along * sine + across * cosine)
  }
}

extension OrientedBox: CustomStringConvertible {
  /// "width × height at (x, y), angle radians", as in error messages.
  public var description: String { "\(width) × \(height) at \(center), \(angle) radians" }
}

/// The normal distribution with the mean and the variances of a rectangle's points.
struct GaussianBox {
  let center: PixelPoint
  /// The largest variance in any direction.
  let reach: Double
  private let xx: Double
  private let yy: Double
  private let xy: Double
  /// The determinant of the matrix of covariances.
  private let determinant: Double

  init(_ box: OrientedBox) {
    center = box.center
    let (along, across) = (box.width * box.width / 12, box.height * box.height / 12)
    let (cosine, sine) = (cos(box.angle), sin(box.angle))
    xx = along * cosine * cosine + across * sine * sine
    yy = along * sine * sine + across * cosine * cosine
    xy = (along - across) * cosine * sine
    determinant = along * across
    reach = max(along, across)
  }

  /// Returns 1 − the Hellinger distance; 0 if sizes are too large or too small for numbers.
  func overlap(with other: GaussianBox) -> Double {
    let distance = bhattacharyyaDistance(to: other)
    guard distance.isFinite else { return 0 }
    return 1 - (1 - exp(-max(distance, 0))).squareRoot()
  }

  private func bhattacharyyaDistance(to other: GaussianBox) -> Double {
    let (xx, yy, xy) = (xx + other.xx, yy + other.yy, xy + other.xy)
    let both = xx * yy - xy * xy
    let (x, y) = (center.x - other.center.x, center.y - other.center.y)
    let apart = (xx * y * y + yy * x * x - 2 * xy * x * y) / both / 4
    return apart + log(both / (4 * (determinant * other.determinant).squareRoot())) / 2
  }
}
