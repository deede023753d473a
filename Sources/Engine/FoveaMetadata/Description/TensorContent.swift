// SPDX-License-Identifier: Apache-2.0

/// What the values of a tensor are.
public enum TensorContent: Sendable, Hashable {
  /// Numbers without a further meaning: scores, class numbers, counts.
  case features
  /// An image; the size is the default for a model that takes any size.
  case image(colorSpace: ColorSpace, defaultSize: ImageSize?)
  /// Boxes.
  case boundingBoxes(BoundingBoxLayout)
  /// A content that this package does not use, by its number in the schema (4 is audio).
  case other(UInt8)
}

/// The colours of an image tensor; the raw values are TFLite's.
public enum ColorSpace: UInt8, Sendable, Hashable {
  /// Not said.
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

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// How four numbers make a box.
public struct BoundingBoxLayout: Sendable, Hashable {
  /// Which four numbers there are; the raw values are TFLite's.
  public enum Kind: UInt8, Sendable, Hashable {
    /// Not said.
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
    /// Pixels of the image that the model saw.
    case pixel = 1
  }

  /// Which four numbers there are.
  public var kind: Kind
  /// Their unit.
  public var coordinates: Coordinates
  /// Where each number of `kind` stands; empty for the order of `kind`.
  ///
  /// SSD models with `TFLite_Detection_PostProcess` give top, left, bottom, right: index `[1, 0, 3, 2]`.
  public var index: [Int]

  /// Makes a layout.
  public init(kind: Kind, coordinates: Coordinates = .ratio, index: [Int] = []) {
    self.kind = kind
    self.coordinates = coordinates
    self.index = index
  }
}
