// SPDX-License-Identifier: Apache-2.0

/// The rotation and mirroring that make a stored image upright: the eight values of EXIF tag 274.
///
/// The names state where the top of the scene is in the stored image, like UIKit's `UIImage.Orientation`:
/// `right` means "rotate the stored pixels by 90° clockwise to see them upright".
///
/// **Source:** Exif 2.32, section 4.6.4, tag 0x0112; names as UIKit.
public enum Orientation: Int, Sendable, Hashable, Codable, CaseIterable {
  /// EXIF 1: stored upright.
  case up = 1
  /// EXIF 2: mirrored left to right.
  case upMirrored = 2
  /// EXIF 3: upside down.
  case down = 3
  /// EXIF 4: mirrored top to bottom.
  case downMirrored = 4
  /// EXIF 5: mirrored along the main diagonal (transposed).
  case leftMirrored = 5
  /// EXIF 6: rotate by 90° clockwise to see it upright.
  case right = 6
  /// EXIF 7: mirrored along the other diagonal (transversed).
  case rightMirrored = 7
  /// EXIF 8: rotate by 90° counter-clockwise to see it upright.
  case left = 8

  /// The EXIF value, 1…8.
  public var exifValue: Int { rawValue }

  /// Whether width and height are exchanged between the stored and the upright image.
  public var isTransposed: Bool { rawValue >= 5 }

  /// The name in lower camel case, as in results: "up", "rightMirrored", ….
  public var name: String {
    switch self {
    case .up: "up"
    case .upMirrored: "upMirrored"
    case .down: "down"
    case .downMirrored: "downMirrored"
    case .leftMirrored: "leftMirrored"
    case .right: "right"
    case .rightMirrored: "rightMirrored"
    case .left: "left"
    }
  }

  /// Returns the size of the upright image whose stored size is `stored`.
  public func uprightSize(ofStored stored: PixelSize) -> PixelSize {
    isTransposed ? stored.transposed : stored
  }

  /// Maps a box of the upright image to the pixels of the stored image.
  /// - Parameters:
  ///   - box: A box in pixels of the upright image.
  ///   - stored: The size of the stored image.
  /// - Returns: The same box in pixels of the stored image.
  public func storedBox(fromUpright box: BoundingBox, stored: PixelSize) -> BoundingBox {
    let width = Double(stored.width)
    let height = Double(stored.height)
    return switch self {
    case .up: box
    case .upMirrored:
      BoundingBox(minX: width - box.maxX, minY: box.minY, maxX: width - box.minX, maxY: box.maxY)
    case .down:
      BoundingBox(
        minX: width - box.maxX, minY: height - box.maxY, maxX: width - box.minX, maxY: height - box.minY)
    case .downMirrored:
      BoundingBox(minX: box.minX, minY: height - box.maxY, maxX: box.maxX, maxY: height - box.minY)
    case .leftMirrored:
      BoundingBox(minX: box.minY, minY: box.minX, maxX: box.maxY, maxY: box.maxX)
    case .right:
      BoundingBox(minX: box.minY, minY: height - box.maxX, maxX: box.maxY, maxY: height - box.minX)
    case .rightMirrored:
      BoundingBox(
        minX: width - box.maxY, minY: height - box.maxX, maxX: width - box.minY, maxY: height - box.minX)
    case .left:
      BoundingBox(minX: width - box.maxY, minY: box.minX, maxX: width - box.minY, maxY: box.maxX)
    }
  }

  /// Maps a box of the stored image to the pixels of the upright image.
  /// - Parameters:
  ///   - box: A box in pixels of the stored image.
  ///   - stored: The size of the stored image.
  /// - Returns: The same box in pixels of the upright image.
  public func uprightBox(fromStored box: BoundingBox, stored: PixelSize) -> BoundingBox {
    inverse.storedBox(fromUpright: box, stored: uprightSize(ofStored: stored))
  }

  /// Maps a point of the upright image to the pixels of the stored image.
  /// - Parameters:
  ///   - point: A point in pixels of the upright image.
  ///   - stored: The size of the stored image.
  /// - Returns: The same point in pixels of the stored image.
  public func storedPoint(fromUpright point: PixelPoint, stored: PixelSize) -> PixelPoint {
    let box = BoundingBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
    let turned = storedBox(fromUpright: box, stored: stored)
    return PixelPoint(x: turned.minX, y: turned.minY)
  }

  /// Maps a point of the stored image to the pixels of the upright image.
  /// - Parameters:
  ///   - point: A point in pixels of the stored image.
  ///   - stored: The size of the stored image.
  /// - Returns: The same point in pixels of the upright image.
  public func uprightPoint(fromStored point: PixelPoint, stored: PixelSize) -> PixelPoint {
    inverse.storedPoint(fromUpright: point, stored: uprightSize(ofStored: stored))
  }

  /// The orientation that undoes this one: only `right` and `left` differ from themselves.
  package var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}
