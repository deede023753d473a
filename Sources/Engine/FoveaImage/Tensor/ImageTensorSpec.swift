// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// How a model wants its image: size, element type, channel order and the meaning of the numbers.
///
/// - uint8 without normalisation is the pixel as it is, int8 without is the pixel minus 128;
/// - float32 is (pixel − mean) / standard deviation, without normalisation the pixel as it is;
/// - a quantised type with normalisation is clamp(round(((pixel − mean) / deviation) / scale) + zeroPoint).
public struct ImageTensorSpec: Sendable, Hashable {
  /// The type of one number.
  public enum ElementType: Sendable, Hashable {
    /// 8 bits, 0…255.
    case uint8
    /// 8 bits, −128…127.
    case int8
    /// 32-bit floating point.
    case float32

    /// The size of one number in bytes.
    public var byteCount: Int { self == .float32 ? 4 : 1 }
  }

  /// The numbers of a pixel.
  public enum ChannelOrder: Sendable, Hashable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
    /// One number, the brightness: (299 R + 587 G + 114 B) ÷ 1000.
    ///
    /// **Source:** ITU-R BT.601-7, section 2.5.1; in units of 1/65,536 as Pillow's `convert("L")` has them,
    /// `L24` in `libImaging/Convert.c`: (19595 R + 38470 G + 7471 B + 32768) ÷ 65536.
    case grey

    /// How many numbers a pixel has, 1 or 3.
    public var count: Int { self == .grey ? 1 : 3 }
  }

  /// How an image that is larger than the tensor is made smaller.
  public enum Sampling: Sendable, Hashable {
    /// Every pixel counts, by a triangle as wide as two pixels of the tensor: what Pillow calls BILINEAR.
    case antialiased
    /// Two pixels in each direction count, whatever lies between, and the tensor's first pixel is the image's
    /// first.
    ///
    /// **Source:** TensorFlow 1's `resize_bilinear` without `align_corners`, with which SSDs and MobileNets
    /// were trained, and MediaPipe's `image_to_tensor_converter_opencv.cc`.
    case twoTaps
  }

  /// Where the three numbers of a pixel stand; of one number there is one plane.
  public enum Layout: Sendable, Hashable {
    /// Together: [1, height, width, 3], what TensorFlow writes.
    case interleaved
    /// In three planes: [1, 3, height, width], what PyTorch writes.
    case planar
  }

  /// value = (pixel − mean) / standardDeviation; one number for all channels or three, in channel order; one
  /// for grey.
  public typealias Normalization = FoveaGeometry.Normalization

  /// value = (number − zeroPoint) · scale.
  public struct Quantization: Sendable, Hashable {
    /// The value of one step.
    public var scale: Float
    /// The number that stands for 0.
    public var zeroPoint: Int
    /// Makes a quantisation.
    public init(scale: Float, zeroPoint: Int) {
      self.scale = scale
      self.zeroPoint = zeroPoint
    }
  }

  /// Width and height of the tensor in pixels.
  public var size: PixelSize
  /// The type of one number.
  public var elementType: ElementType
  /// The order of the channels.
  public var channelOrder: ChannelOrder
  /// Where the numbers of a pixel stand.
  public var layout = Layout.interleaved
  /// How an image of other proportions is fitted in; nil stretches it to the tensor's size.
  public var letterbox: Letterbox?
  /// What is done to the pixels before quantising; nil leaves them as they are.
  public var normalization: Normalization?
  /// How numbers stand for values; nil, or a float tensor, has none.
  public var quantization: Quantization?
  /// How a larger image is made smaller; antialiased by default.
  public var sampling = Sampling.antialiased

  /// Makes a description.
  public init(
    size: PixelSize, elementType: ElementType = .uint8, channelOrder: ChannelOrder = .rgb,
    normalization: Normalization? = nil, quantization: Quantization? = nil
  ) {
    self.size = size
    self.elementType = elementType
    self.channelOrder = channelOrder
    self.normalization = normalization
    self.quantization = quantization
  }

  /// Where a part of an image stands in the tensor: everywhere, unless it is letterboxed.
  /// - Parameters:
  ///   - region: The part, in pixels of the stored image.
  ///   - orientation: The turn that makes the image upright.
  /// - Returns: The place in whole pixels of the tensor.
  public func place(of region: BoundingBox, upright orientation: Orientation) -> PicturePlace {
    guard let letterbox, !region.isEmpty else { return PicturePlace(x: 0, y: 0, picture: size, tensor: size) }
    return orientation.isTransposed
      ? letterbox.place(width: region.height, height: region.width, in: size)
      : letterbox.place(width: region.width, height: region.height, in: size)
  }

  /// The size of the tensor in bytes: width · height · 3 numbers, or 1 where it is grey.
  public var byteCount: Int {
    let (count, overflow) = size.area.multipliedReportingOverflow(
      by: channelOrder.count * elementType.byteCount)
    return overflow ? .max : count
  }
}
