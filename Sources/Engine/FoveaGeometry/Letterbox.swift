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
  public func place(width: Double, height: Double, in size: PixelSize) -> ImagePlace {
    let scale = min(Double(size.width) / width, Double(size.height) / height)
    func length(_ side: Double, _ limit: Int) -> Int {
      let scaled = side * scale
      // Also if a side is not a number or infinite.
      guard scaled < Double(limit) else { return limit }
      return max(1, Int(scaled.rounded()))
    }
    let image = PixelSize(width: length(width, size.width), height: length(height, size.height))
    return switch placement {
    case .topLeft: ImagePlace(x: 0, y: 0, image: image, tensor: size)
    case .center:
      ImagePlace(
        x: (size.width - image.width) / 2, y: (size.height - image.height) / 2, image: image,
        tensor: size)
    }
  }
}

/// The position of an image in a tensor.
public struct ImagePlace: Sendable, Hashable {
  /// The columns of the tensor to the left of the image.
  public var x: Int
  /// The rows of the tensor above the image.
  public var y: Int
  /// The size of the image in the tensor.
  public var image: PixelSize
  /// The size of the tensor.
  public var tensor: PixelSize

  /// Creates a position from its numbers.
  public init(x: Int, y: Int, image: PixelSize, tensor: PixelSize) {
    self.x = x
    self.y = y
    self.image = image
    self.tensor = tensor
  }

  /// Whether the image fills the tensor.
  package var isWhole: Bool { image == tensor }

  /// Returns the region that the whole tensor would show if the image continued beyond its edges.
  /// - Parameter region: The region that the image shows, upright like the tensor.
  /// - Returns: `region` grown by the bars; fractions of the tensor are fractions of it.
  public func grown(_ region: BoundingBox) -> BoundingBox {
    guard !isWhole else { return region }
    let unitX = region.width / Double(image.width)
    let unitY = region.height / Double(image.height)
    return BoundingBox(
      x: region.minX - Double(x) * unitX, y: region.minY - Double(y) * unitY,
      width: Double(tensor.width) * unitX, height: Double(tensor.height) * unitY)
  }
}

/// The former name of ``ImagePlace``.
@available(*, deprecated, renamed: "ImagePlace")
public typealias PicturePlace = ImagePlace

extension ImagePlace {
  /// The former name of ``image``.
  @available(*, deprecated, renamed: "image")
  public var picture: PixelSize {
    get { image }
    set { image = newValue }
  }
}
