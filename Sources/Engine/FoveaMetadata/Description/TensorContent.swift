// SPDX-License-Identifier: Apache-2.0

/// The meaning of a tensor's values.
public enum TensorContent: Sendable, Hashable {
  /// Numbers without a further meaning: scores, class numbers, counts.
  case features
  /// An image; the size is the default for a model that accepts any size.
  case image(colorSpace: ColorSpace, defaultSize: ImageSize?)
  /// Boxes.
  case boundingBoxes(BoundingBoxLayout)
  /// Content that this package does not use, by its number in the schema (4 is audio).
  case other(UInt8)
}

/// The colours of an image tensor; the raw values are TFLite's.
public enum ColorSpace: UInt8, Sendable, Hashable {
  /// Unknown.
  case unknown = 0
  /// Red, green, blue.
  case rgb = 1
  /// One channel.
  case grayscale = 2
}

/// A width and a height in pixels.
public struct ImageSize: Sendable, Hashable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The layout of the four numbers of a box.
public struct BoundingBoxLayout: Sendable, Hashable {
  /// The meaning of the four numbers; the raw values are TFLite's.
  public enum Kind: UInt8, Sendable, Hashable {
    /// Unknown.
    case unknown = 0
    /// Left, top, right, bottom.
    case boundaries = 1
    /// Left, top, width, height.
    case upperLeft = 2
    /// Centre x, centre y, width, height.
    case center = 3
  }

  /// The unit of the numbers; the raw values are TFLite's.
  public enum Coordinates: UInt8, Sendable, Hashable {
    /// Fractions of the image's width and height, 0…1.
    case ratio = 0
    /// Pixels of the model's input image.
    case pixel = 1
  }

  /// The meaning of the four numbers.
  public var kind: Kind
  /// The unit of the numbers.
  public var coordinates: Coordinates
  /// The position of each number of `kind`; empty for the order of `kind`.
  ///
  /// SSD models with `TFLite_Detection_PostProcess` output top, left, bottom, right: index `[1, 0, 3, 2]`.
  public var index: [Int]

  /// Creates a layout.
  public init(kind: Kind, coordinates: Coordinates = .ratio, index: [Int] = []) {
    self.kind = kind
    self.coordinates = coordinates
    self.index = index
  }
}
