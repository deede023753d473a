// SPDX-License-Identifier: Apache-2.0

import CImages
import FoveaGeometry

/// Calls a library that is loaded on first use, and converts its results to `ImageError`.
struct ImageLibrary {
  let format: ImageFormat
  let name: String
  let limits: ImageLimits

  init(format: ImageFormat, name: String, limits: ImageLimits) {
    self.format = format
    self.name = name
    self.limits = limits
  }

  init(_ image: EncodedImage) { self.init(format: image.format, name: image.name, limits: image.limits) }

  /// Calls `body` with the bytes of a file, or a range of them.
  /// - Returns: The text that `body` has left, such as a TIFF's note.
  @discardableResult
  func call(
    _ bytes: [UInt8], from start: Int = 0, count: Int? = nil,
    _ body: (UnsafePointer<fovea_image_file>) -> fovea_image_status
  ) throws(ImageError) -> String {
    var text = [CChar](repeating: 0, count: 256)
    let status = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe text.withUnsafeMutableBufferPointer { text in
        // SAFETY: neither buffer is empty, as an empty file has no format.
        guard let base = bytes.baseAddress, let target = text.baseAddress else {
          return FOVEA_IMAGE_TRUNCATED
        }
        var file = unsafe fovea_image_file(
          bytes: base + start, count: count ?? bytes.count - start, text: target, text_capacity: text.count)
        return unsafe body(&file)
      }
    }
    let reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard status != FOVEA_IMAGE_OK else { return reason }
    throw error(status, reason, byteCount: bytes.count)
  }

  /// Reads the header of formats that need their library for it.
  func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader {
    var header = fovea_image_header()
    try unsafe call(bytes) { file in
      if format == .tiff { return unsafe fovea_tiff_header(file, &header) }
      return unsafe fovea_heif_header(file, maximumDimension, maximumPixels, &header)
    }
    let size = PixelSize(width: Int(header.width), height: Int(header.height))
    guard size.width > 0, size.height > 0 else { throw .corrupt(name, format, "the size is \(size)") }
    return ImageHeader(size: size, orientation: Orientation(rawValue: Int(header.orientation)) ?? .up)
  }

  var maximumDimension: UInt32 { UInt32(clamping: limits.maxDimension) }
  var maximumPixels: UInt64 { UInt64(clamping: limits.maxPixels) }

  func error(_ status: fovea_image_status, _ reason: String, byteCount: Int) -> ImageError {
    switch status {
    case FOVEA_IMAGE_NO_LIBRARY, FOVEA_IMAGE_NO_SYMBOL:
      return ImageError(
        .libraryMissing,
        "\(format) needs \(library.name), which cannot be loaded: \(reason)",
        remedy: "Install it: apt-get install \(library.package)", subject: name)
    case FOVEA_IMAGE_NO_CODEC:
      return ImageError(
        .libraryMissing,
        "the installed \(library.name) has no decoder for this \(format): \(reason)",
        remedy: "Install it: apt-get install \(library.codec)", subject: name)
    case FOVEA_IMAGE_NOT_BUILT:
      return .unsupported(
        name, "this build of Fovea does not support \(format): it was built without \(reason)")
    case FOVEA_IMAGE_TRUNCATED: return .truncated(name, format, byteCount: byteCount)
    case FOVEA_IMAGE_UNSUPPORTED:
      return .unsupported(
        name, "the \(format) uses a feature that \(library.name) does not support: \(reason)")
    case FOVEA_IMAGE_TOO_LARGE:
      return ImageError(
        .tooLarge, "the \(format) is beyond a limit of \(library.name): \(reason)",
        remedy: "Open it in an image editor and save it again, smaller", subject: name)
    case FOVEA_IMAGE_NO_MEMORY: return .outOfMemory(name, byteCount: byteCount)
    default: return .corrupt(name, format, reason)
    }
  }

  /// The library's name, its package on Debian and Ubuntu, and the package of a decoder that may be separate.
  private var library: (name: String, package: String, codec: String) {
    switch format {
    case .heic: ("libheif", "libheif1", "libheif-plugin-libde265")
    case .avif: ("libheif", "libheif1", "libheif-plugin-dav1d")
    case .tiff: ("libtiff", "libtiff6", "libtiff6")
    case .gif: ("giflib", "libgif7", "libgif7")
    default: ("gdk-pixbuf", "libgdk-pixbuf-2.0-0", "libgdk-pixbuf-2.0-0")
    }
  }
}

extension DecodedImage {
  /// Adopts the pixels that a library decoded, composed over white if they have alpha.
  static func adopting(
    _ pixels: fovea_image_pixels, of image: EncodedImage, note: String? = nil
  ) throws(ImageError) -> DecodedImage {
    guard let base = unsafe pixels.pixels, let owner = unsafe pixels.owner,
      let release = unsafe pixels.release
    else { throw .corrupt(image.name, image.format, "the decoder returned no pixels") }
    let stride = unsafe pixels.bytes_per_row
    let memory = unsafe PixelMemory(adopting: base, count: stride * image.size.height) {
      unsafe release(owner)
    }
    let found = unsafe PixelSize(width: Int(pixels.width), height: Int(pixels.height))
    let channels = unsafe Int(pixels.channels)
    guard found == image.size, channels == 3 || channels == 4, stride >= found.width * channels else {
      throw .corrupt(
        image.name, image.format, "the header declares \(image.size) pixels, the data has \(found)")
    }
    if channels == 4 {
      for row in 0..<found.height {
        let start = unsafe memory.base + row * stride
        if unsafe pixels.is_premultiplied {
          unsafe PixelComposition.premultipliedOverWhite(start, count: found.width)
        } else {
          unsafe PixelComposition.rgbaOverWhite(start, count: found.width)
        }
      }
    }
    return .rgb(of: image, size: found, memory: memory, bytesPerRow: stride, note: note)
  }
}
