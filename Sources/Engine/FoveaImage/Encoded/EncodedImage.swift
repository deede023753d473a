// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// An image as its file holds it: format, size and orientation are known, no pixel has been decoded.
///
/// The first bytes decide the format, not the name. Size and limits are checked before any memory is taken
/// for pixels.
public final class EncodedImage: Sendable {
  /// What errors call the image: the path, or the name that came with the bytes.
  public let name: String
  /// The format that the bytes have.
  public let format: ImageFormat
  /// Width and height as stored, before turning by `orientation`.
  ///
  /// HEIC and AVIF hold their turn as a part of the image; for them this is the upright size, and
  /// `orientation` is `up`.
  public let size: PixelSize
  /// How the stored pixels must be rotated to be upright; `up` where the file does not say.
  public let orientation: Orientation
  package let bytes: [UInt8]
  let limits: ImageLimits

  /// Opens an image file and reads its header.
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: What the image may cost.
  /// - Throws: `ImageError` when there is no such file, it cannot be read, is no image, damaged or too large.
  public convenience init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    try self.init(bytes: FileBytes.read(path: path, limits: limits), name: path, limits: limits)
  }

  /// Takes the bytes of an image file and reads their header.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What errors call it.
  ///   - limits: What the image may cost.
  /// - Throws: `ImageError` when the bytes are no image, damaged or too large.
  public init(bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    guard !bytes.isEmpty else { throw FileBytes.emptyError(name) }
    guard bytes.count <= limits.maxFileBytes else { throw FileBytes.tooManyBytes(name, bytes.count, limits) }
    let kind = FileKind(
      prefix: bytes.count <= FileKind.prefixLength ? bytes : [UInt8](bytes.prefix(FileKind.prefixLength)))
    guard case .image(let format) = kind else { throw kind.unknownFormatError(name: name, limits) }
    guard limits.formats.contains(format) else { throw FileKind.formatOffError(format, limits, name: name) }
    let header = try ImageHeader(format: format, bytes: bytes, name: name, limits: limits)
    try header.check(limits, name: name)
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

  /// The same image with another orientation than its file has.
  /// - Parameter orientation: How the stored pixels must be rotated to be upright; `up` leaves them as they
  ///   are stored.
  /// - Returns: The image; the bytes are shared.
  public func oriented(_ orientation: Orientation) -> EncodedImage {
    EncodedImage(self, orientation: orientation)
  }

  /// Width and height of the upright image.
  public var uprightSize: PixelSize { orientation.uprightSize(ofStored: size) }

  /// The size of the file in bytes.
  public var byteCount: Int { bytes.count }

  /// Decodes the image.
  ///
  /// Use one `ImageDecoder` for many images; this makes a new one each time.
  /// - Parameter target: The least size that is needed.
  /// - Returns: The pixels, not yet rotated upright.
  /// - Throws: `ImageError` when the file is damaged or cut off, or there is no memory.
  public func decode(scaledFor target: DecodeTarget = .full) throws(ImageError) -> DecodedImage {
    try ImageDecoder().decode(self, scaledFor: target)
  }
}
