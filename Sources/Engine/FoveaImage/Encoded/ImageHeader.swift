// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The header of an image, read before any pixel is decoded.
struct ImageHeader: Equatable {
  var size: PixelSize
  var orientation: Orientation = .up
}

extension ImageHeader {
  init(format: ImageFormat, bytes: [UInt8], name: String, limits: ImageLimits) throws(ImageError) {
    switch format {
    case .jpeg: try self.init(jpeg: bytes, name: name)
    case .png: try self.init(png: bytes, name: name)
    case .webp: try self.init(webp: bytes, name: name)
    case .gif: try self.init(gif: bytes, name: name)
    case .bmp: self.init(size: try BMPHeader(bytes, name: name).size)
    case .heic, .avif:
      try HEIFItems.check(bytes, format, name: name)
      self = try ImageLibrary(format: format, name: name, limits: limits).header(of: bytes)
    case .tiff:
      self = try ImageLibrary(format: format, name: name, limits: limits).header(of: bytes)
    }
  }

  /// Throws if the image exceeds the limits.
  func check(_ limits: ImageLimits, name: String) throws(ImageError) { try limits.check(size, name: name) }
}

extension ImageLimits {
  /// Throws if an image of this size exceeds the limits.
  package func check(_ size: PixelSize, name: String) throws(ImageError) {
    func refuse(_ what: String, _ orRaise: Advice) -> ImageError {
      ImageError(.tooLarge, what, remedy: "Use a smaller image\(orRaise)", subject: name)
    }
    let side = max(size.width, size.height)
    if side > maxDimension {
      throw refuse(
        "the image is \(size) pixels, the longest side allowed is \(maxDimension)",
        "\(term: .raisedLimit("ImageLimits.maxDimension"))")
    }
    if size.area > maxPixels {
      throw refuse(
        "the image has \(size.area) pixels (\(size)), \(maxPixels) are allowed",
        ", or raise \(option: "max-pixels") if you trust its source")
    }
  }
}

/// The limits for an image, checked against its header before memory is allocated for its pixels.
public struct ImageLimits: Sendable, Hashable {
  /// The maximum number of pixels, 200 million by default: phones take 200-megapixel photos; larger images
  /// are treated as decompression bombs.
  public var maxPixels = 200_000_000
  /// The longest side in pixels; the default, 65,535, is the limit of JPEG.
  public var maxDimension = 65_535
  /// The largest file in bytes, 512 MiB by default.
  public var maxFileBytes = 512 << 20
  /// The formats to read; all by default.
  ///
  /// Each format has a library that parses its bytes. For untrusted images, fewer libraries are safer.
  public var formats = Set(ImageFormat.allCases)

  /// The defaults.
  public init() {}
}
