// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The image input of a model: size, element type, channel order and the meaning of the numbers.
///
/// - uint8 and int32 without normalisation are the pixel itself, int8 without normalisation the pixel minus
///   128;
/// - float32 is (pixel − mean) / standard deviation, or the pixel itself without normalisation;
/// - a quantised type with normalisation is clamp(round(((pixel − mean) / deviation) / scale) + zeroPoint).
public struct ImageTensorSpec: Sendable, Hashable {
  /// The type of one number.
  public enum ElementType: Sendable, Hashable {
    /// 8 bits, 0…255.
    case uint8
    /// 8 bits, −128…127.
    case int8
    /// 32 bits, signed.
    case int32
    /// 32-bit floating point.
    case float32

    /// The size of one number in bytes.
    package var byteCount: Int { self == .float32 || self == .int32 ? 4 : 1 }
  }

  /// The channels of a pixel.
  public enum ChannelOrder: Sendable, Hashable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
    /// One number, the brightness: (299 R + 587 G + 114 B) ÷ 1000.
    ///
    /// **Source:** ITU-R BT.601-7, section 2.5.1; in units of 1/65,536 as in Pillow's `convert("L")`, `L24`
    /// in `libImaging/Convert.c`: (19595 R + 38470 G + 7471 B + 32768) ÷ 65536.
    case grey

    /// The number of channels of a pixel, 1 or 3.
    package var count: Int { self == .grey ? 1 : 3 }
  }

  /// The sampling of an image that is larger than the tensor.
  public enum Sampling: Sendable, Hashable {
    /// All pixels contribute, weighted by a triangle two tensor pixels wide, as in Pillow's BILINEAR.
    case antialiased
    /// Two pixels contribute in each direction, and those between are skipped; the tensor's first pixel is
    /// the image's first.
    ///
    /// **Source:** TensorFlow 1's `resize_bilinear` without `align_corners`, with which SSDs and MobileNets
    /// were trained, and MediaPipe's `image_to_tensor_converter_opencv.cc`.
    case twoTaps
  }

  /// The arrangement of the channels; with one channel there is one plane.
  public enum Layout: Sendable, Hashable {
    /// Interleaved: [1, height, width, 3], as in TensorFlow.
    case interleaved
    /// In three planes: [1, 3, height, width], as in PyTorch.
    case planar
  }

  /// value = (pixel − mean) / standardDeviation; one number or three, in channel order; one for grey.
  public typealias Normalization = FoveaGeometry.Normalization

  /// value = (number − zeroPoint) · scale.
  public struct Quantization: Sendable, Hashable {
    /// The value of one step.
    public var scale: Float
    /// The number that represents 0.
    public var zeroPoint: Int
    /// Creates a quantisation.
    public init(scale: Float, zeroPoint: Int) {
      self.scale = scale
      self.zeroPoint = zeroPoint
    }
  }

  /// The size of the tensor in pixels.
  public var size: PixelSize
  /// The type of one number.
  public var elementType: ElementType
  /// The order of the channels.
  public var channelOrder: ChannelOrder
  /// The arrangement of the channels.
  public var layout = Layout.interleaved
  /// The letterbox for images of other proportions; nil stretches them to the tensor's size.
  public var letterbox: Letterbox?
  /// The normalisation before quantisation; nil keeps the pixels unchanged.
  public var normalization: Normalization?
  /// The quantisation of the tensor; nil, or a float tensor, has none.
  public var quantization: Quantization?
  /// The sampling of larger images; antialiased by default.
  public var sampling = Sampling.antialiased

  /// Creates a description.
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

  /// Returns the position of an image region in the tensor: all of it, unless it is letterboxed.
  /// - Parameters:
  ///   - region: The region, in pixels of the stored image.
  ///   - orientation: The rotation that makes the image upright.
  /// - Returns: The position in whole pixels of the tensor.
  public func place(of region: BoundingBox, upright orientation: Orientation) -> ImagePlace {
    guard let letterbox, !region.isEmpty else { return ImagePlace(x: 0, y: 0, image: size, tensor: size) }
    return orientation.isTransposed
      ? letterbox.place(width: region.height, height: region.width, in: size)
      : letterbox.place(width: region.width, height: region.height, in: size)
  }

  /// The size of the tensor in bytes: width · height · 3 numbers, or 1 for grey.
  public var byteCount: Int {
    let (count, overflow) = size.area.multipliedReportingOverflow(
      by: channelOrder.count * elementType.byteCount)
    return overflow ? .max : count
  }
}
