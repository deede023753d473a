// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// An encoded image file: format, size and orientation are known, no pixel has been decoded.
///
/// The first bytes decide the format, not the name. Size and limits are checked before pixels are allocated.
public final class EncodedImage: Sendable {
  /// The image's name in error messages: the path, or the name that came with the bytes.
  public let name: String
  /// The format of the bytes.
  public let format: ImageFormat
  /// The size as stored, before `orientation` is applied, in pixels.
  ///
  /// HEIC and AVIF images include their rotation: this is their upright size, and `orientation` is `up`.
  public let size: PixelSize
  /// The orientation of the stored pixels; `up` if the file does not declare one.
  public let orientation: Orientation
  package let bytes: [UInt8]
  let limits: ImageLimits

  /// Opens an image file and reads its header.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limits: The limits for the image.
  /// - Throws: `ImageError` if the file is missing, cannot be read, or is not an image, damaged or too large.
  public convenience init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    try self.init(bytes: FileBytes.read(path: path, limits: limits), name: path, limits: limits)
  }

  /// Reads the header of an image file in memory.
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - name: The image's name in error messages.
  ///   - limits: The limits for the image.
  /// - Throws: `ImageError` if the bytes are not an image, are damaged or are too large.
  public init(bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    guard !bytes.isEmpty else { throw FileBytes.emptyError(name) }
    guard bytes.count <= limits.maxFileBytes else { throw FileBytes.tooManyBytes(name, bytes.count, limits) }
    let kind = FileKind(
      prefix: bytes.count <= FileKind.prefixLength ? bytes : [UInt8](bytes.prefix(FileKind.prefixLength)))
    guard case .image(let format) = kind else { throw kind.unknownFormatError(name: name, limits) }
    guard limits.formats.contains(format) else { throw FileKind.formatOffError(format, limits, name: name) }
    let header = try ImageHeader(format: format, bytes: bytes, name: name, limits: limits)
    try header.check(limits, name: name)
    if format == .heic || format == .avif {
      try HEIFPixels.check(bytes, size: header.size, format, name: name, limits: limits)
    }
    self.name = name
    self.format = format
    self.bytes = bytes
    self.limits = limits
    size = header.size
    orientation = header.orientation
  }

  private init(_ image: EncodedImage, orientation: Orientation) {
    name = image.name
    format = image.format
    size = image.size
    bytes = image.bytes
    limits = image.limits
    self.orientation = orientation
  }

  /// Returns the same image with a different orientation than its file declares.
  /// - Parameter orientation: The orientation of the stored pixels; `up` keeps them as stored.
  /// - Returns: The image; the bytes are shared.
  public func oriented(_ orientation: Orientation) -> EncodedImage {
    EncodedImage(self, orientation: orientation)
  }

  /// The size of the upright image, in pixels.
  public var uprightSize: PixelSize { orientation.uprightSize(ofStored: size) }

  /// The size of the file in bytes.
  public var byteCount: Int { bytes.count }

  /// Decodes the image.
  ///
  /// To decode many images, use one `ImageDecoder`; this method creates a new one for each call.
  /// - Parameter target: The minimum size.
  /// - Returns: The pixels, not yet rotated upright.
  /// - Throws: `ImageError` if the file is damaged or truncated, or memory is exhausted.
  public func decode(scaledFor target: DecodeTarget = .full) throws(ImageError) -> DecodedImage {
    try ImageDecoder().decode(self, scaledFor: target)
  }
}
