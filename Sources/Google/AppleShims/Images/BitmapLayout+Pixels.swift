// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// The pixels of a bitmap in the package's own types.
struct BitmapPixels: Sendable {
  /// The colours, multiplied by alpha if there is any.
  var colors: PixelBuffer
  /// Alpha, one byte per pixel; nil if nothing is transparent.
  var alpha: PixelBuffer?
}

extension BitmapLayout {
  /// Copies the pixels of a bitmap.
  /// - Parameter bytes: The rows, at least `byteCount` bytes.
  /// - Returns: The colours, multiplied by alpha if there is any, and alpha if any pixel is transparent.
  /// - Throws: `ImageError` with `invalid-buffer` if there are fewer bytes.
  func copyPixels(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> BitmapPixels {
    if let format = plainFormat {
      let layout = try PixelLayout(format, size: size, bytesPerRow: [bytesPerRow])
      return BitmapPixels(colors: try unsafe PixelBuffer(layout, copying: [bytes], name: "image"))
    }
    guard bytes.count >= byteCount else {
      throw ImageError(
        .invalidBuffer, "the bitmap has \(bytes.count) bytes, \(byteCount) expected",
        remedy: "Pass all rows", subject: "image")
    }
    let layout = try PixelLayout(.bgra, size: size)
    let (bgra, alpha, isTransparent) = unsafe convert(bytes)
    let colors = try PixelBuffer(layout, bytes: bgra, name: "image")
    guard isTransparent else { return BitmapPixels(colors: colors) }
    return BitmapPixels(
      colors: colors, alpha: try PixelBuffer(PixelLayout(.grey, size: size), bytes: alpha, name: "image"))
  }

  /// The equivalent format of a pixel buffer; nil if there is none, or pixels may be transparent.
  private var plainFormat: PixelFormat? {
    guard !alphaInfo.isTransparent else { return nil }
    if isGrey { return .grey }
    return switch channels {
    case Channels(red: 0, green: 1, blue: 2): .rgb
    case Channels(red: 0, green: 1, blue: 2, fourth: 3): .rgba
    case Channels(red: 2, green: 1, blue: 0, fourth: 3): .bgra
    default: nil
    }
  }

  private func convert(_ bytes: UnsafeRawBufferPointer) -> (bgra: [UInt8], alpha: [UInt8], Bool) {
    let hasAlpha = alphaInfo.isTransparent
    let isPremultiplied = alphaInfo.isPremultiplied
    var least: UInt8 = 255
    var alphas = [UInt8](repeating: 255, count: hasAlpha ? size.area : 0)
    let colors = unsafe [UInt8](unsafeUninitializedCapacity: size.area * 4) { target, count in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let source = y * bytesPerRow + x * bytesPerPixel
          let pixel = y * size.width + x
          let alpha = unsafe hasAlpha ? bytes[source + (channels.fourth ?? 0)] : 255
          func component(_ offset: Int) -> UInt8 {
            let value = unsafe bytes[source + offset]
            return isPremultiplied ? min(value, alpha) : value.multiplied(by: alpha)
          }
          unsafe target[pixel * 4] = component(channels.blue)
          unsafe target[pixel * 4 + 1] = component(channels.green)
          unsafe target[pixel * 4 + 2] = component(channels.red)
          unsafe target[pixel * 4 + 3] = 255
          if hasAlpha { alphas[pixel] = alpha }
          least = min(least, alpha)
        }
      }
      count = size.area * 4
    }
    return (colors, alphas, least < 255)
  }
}

extension UInt8 {
  /// The product of two fractions of 255, rounded.
  func multiplied(by other: UInt8) -> UInt8 { UInt8((UInt32(self) * UInt32(other) + 127) / 255) }
}
