// SPDX-License-Identifier: Apache-2.0

/// The fitting of an image into a tensor of another shape without changing its proportions.
///
/// The image is scaled until it touches two opposite edges; bars of one value fill the rest.
///
/// **Source:** YOLOX, `yolox/data/data_augment.py`, `preproc` (top left, 114); Ultralytics YOLOv5,
/// `utils/augmentations.py`, `letterbox` (centre, 114).
public struct Letterbox: Sendable, Hashable {
  /// The position of the image in the tensor.
  public enum Placement: Sendable, Hashable {
    /// In the middle, with bars on both sides; with an odd number of free pixels the second bar is one wider.
    case center
    /// At the left and top edges, with one bar at the right or at the bottom.
    case topLeft
  }

  /// The position of the image in the tensor.
  public var placement: Placement
  /// The pixel value of the bars, 0…255, in each channel; normalised like pixels.
  public var padding: UInt8

  /// Creates a letterbox; the YOLO families are trained with the grey value 114.
  public init(_ placement: Placement = .center, padding: UInt8 = 114) {
    self.placement = placement
    self.padding = padding
  }

  /// Returns the position of an image of `width` × `height` in a tensor of `size`.
  /// - Parameters:
  ///   - width: The image's width, above 0.
  ///   - height: The image's height, above 0.
  ///   - size: The tensor's size.
  /// - Returns: The position in whole pixels, at least one in each direction.
  public func place(width: Double, height: Double, in size: PixelSize) -> PicturePlace {
    let scale = min(Double(size.width) / width, Double(size.height) / height)
    func length(_ side: Double, _ limit: Int) -> Int {
      let scaled = side * scale
      // Also if a side is not a number or infinite.
      guard scaled < Double(limit) else { return limit }
      return max(1, Int(scaled.rounded()))
    }
    let picture = PixelSize(width: length(width, size.width), height: length(height, size.height))
    return switch placement {
    case .topLeft: PicturePlace(x: 0, y: 0, picture: picture, tensor: size)
    case .center:
      PicturePlace(
        x: (size.width - picture.width) / 2, y: (size.height - picture.height) / 2, picture: picture,
        tensor: size)
    }
  }
}

/// The position of an image in a tensor.
public struct PicturePlace: Sendable, Hashable {
  /// The columns of the tensor to the left of the image.
  public var x: Int
  /// The rows of the tensor above the image.
  public var y: Int
  /// The size of the image in the tensor.
  public var picture: PixelSize
  /// The size of the tensor.
  public var tensor: PixelSize

  /// Creates a position from its numbers.
  public init(x: Int, y: Int, picture: PixelSize, tensor: PixelSize) {
    self.x = x
    self.y = y
    self.picture = picture
    self.tensor = tensor
  }

  /// Whether the image fills the tensor.
  public var isWhole: Bool { picture == tensor }

  /// Returns the region that the whole tensor would show if the image continued beyond its edges.
  /// - Parameter region: The region that the image shows, upright like the tensor.
  /// - Returns: `region` grown by the bars; fractions of the tensor are fractions of it.
  public func grown(_ region: BoundingBox) -> BoundingBox {
    guard !isWhole else { return region }
    let unitX = region.width / Double(picture.width)
    let unitY = region.height / Double(picture.height)
    return BoundingBox(
      x: region.minX - Double(x) * unitX, y: region.minY - Double(y) * unitY,
      width: Double(tensor.width) * unitX, height: Double(tensor.height) * unitY)
  }
}
