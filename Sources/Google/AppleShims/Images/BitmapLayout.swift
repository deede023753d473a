// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// The validated pixel layout of a bitmap, as Core Graphics describes it.
struct BitmapLayout: Sendable {
  /// The offsets of a pixel's components, in bytes.
  struct Channels: Sendable, Equatable {
    var red: Int
    var green: Int
    var blue: Int
    /// Alpha or the unused byte; nil if there is neither.
    var fourth: Int?

    /// The number of bytes; 1 if all offsets are equal, which means grey.
    var bytesPerPixel: Int { fourth != nil ? 4 : red == blue ? 1 : 3 }
  }

  let size: PixelSize
  let bytesPerPixel: Int
  let bytesPerRow: Int
  let bitmapInfo: CGBitmapInfo
  let alphaInfo: CGImageAlphaInfo
  let channels: Channels

  /// Whether a pixel is one byte of brightness.
  var isGrey: Bool { bytesPerPixel == 1 }

  /// The number of bytes up to the last pixel.
  var byteCount: Int { bytesPerRow * (size.height - 1) + size.width * bytesPerPixel }

  /// Returns the layout of a `PixelCanvas`: blue, green, red, unused.
  static func canvas(_ size: PixelSize) -> BitmapLayout {
    BitmapLayout(
      size: size, bytesPerRow: (size.width * 4 + 63) / 64 * 64, alphaInfo: .noneSkipFirst,
      byteOrder: .byteOrder32Little)
  }

  /// Creates a layout for pixels that are known to fit.
  init(
    size: PixelSize, bytesPerRow: Int, alphaInfo: CGImageAlphaInfo,
    byteOrder: CGBitmapInfo = .byteOrderDefault, isGrey: Bool = false
  ) {
    let model = isGrey ? CGColorSpaceModel.monochrome : .rgb
    let channels = Self.channels(model, alphaInfo, byteOrder) ?? Channels(red: 0, green: 0, blue: 0)
    self.init(size, bytesPerRow, [byteOrder, CGBitmapInfo(alpha: alphaInfo)], alphaInfo, channels)
  }

  private init(
    _ size: PixelSize, _ bytesPerRow: Int, _ bitmapInfo: CGBitmapInfo, _ alphaInfo: CGImageAlphaInfo,
    _ channels: Channels
  ) {
    self.size = size
    bytesPerPixel = channels.bytesPerPixel
    self.bytesPerRow = bytesPerRow
    self.bitmapInfo = bitmapInfo
    self.alphaInfo = alphaInfo
    self.channels = channels
  }

  /// Creates a layout from arguments; nil if they are invalid or unsupported.
  /// - Parameters:
  ///   - width: The number of columns, 1…65,535.
  ///   - height: The number of rows, 1…65,535.
  ///   - bitsPerComponent: 8.
  ///   - bytesPerRow: The distance between the starts of two rows; 0 means the smallest multiple of 16.
  ///   - space: Grey or RGB.
  ///   - bitmapInfo: The pixel layout.
  init?(
    width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo
  ) {
    let sides = 1...PixelLayout.maximumSide
    guard sides.contains(width), sides.contains(height), bitsPerComponent == 8,
      let alphaInfo = bitmapInfo.alpha, bitmapInfo.isDisjoint(with: .floatInfoMask),
      let channels = Self.channels(space.model, alphaInfo, bitmapInfo.intersection(.byteOrderMask))
    else { return nil }
    let rowBytes = width * channels.bytesPerPixel
    let distance = bytesPerRow == 0 ? (rowBytes + 15) / 16 * 16 : bytesPerRow
    guard distance >= rowBytes, distance <= Int(Int32.max) else { return nil }
    self.init(PixelSize(width: width, height: height), distance, bitmapInfo, alphaInfo, channels)
  }

  private static func channels(
    _ model: CGColorSpaceModel, _ alpha: CGImageAlphaInfo, _ order: CGBitmapInfo
  ) -> Channels? {
    switch (model, alpha) {
    case (.monochrome, .none) where order == .byteOrderDefault: Channels(red: 0, green: 0, blue: 0)
    case (.rgb, .none) where order == .byteOrderDefault: Channels(red: 0, green: 1, blue: 2)
    case (.rgb, .first), (.rgb, .premultipliedFirst), (.rgb, .noneSkipFirst):
      fourByteChannels(Channels(red: 1, green: 2, blue: 3, fourth: 0), order)
    case (.rgb, .last), (.rgb, .premultipliedLast), (.rgb, .noneSkipLast):
      fourByteChannels(Channels(red: 0, green: 1, blue: 2, fourth: 3), order)
    default: nil
    }
  }

  private static func fourByteChannels(_ channels: Channels, _ order: CGBitmapInfo) -> Channels? {
    switch order {
    case .byteOrderDefault, .byteOrder32Big: channels
    case .byteOrder32Little:
      Channels(
        red: 3 - channels.red, green: 3 - channels.green, blue: 3 - channels.blue,
        fourth: channels.fourth.map { 3 - $0 })
    default: nil
    }
  }
}
