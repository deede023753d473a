// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaGeometry
import FoveaImage

extension CGImage {
  /// Returns a copy of a part of the image, as stored.
  /// - Parameter rect: The part in pixels, from the top left corner; expanded to whole pixels, and clipped to
  ///   the image.
  /// - Returns: nil if the part contains no pixel, or the image cannot be decoded.
  public func cropping(to rect: CGRect) -> CGImage? {
    guard let columns = rect.minX.pixels(to: rect.maxX, within: width),
      let rows = rect.minY.pixels(to: rect.maxY, within: height), let pixels = try? pixels(),
      let part = try? pixels.part(columns, rows)
    else { return nil }
    guard let alpha else { return try? CGImage(pixels: part) }
    guard let alpha = try? alpha.part(columns, rows) else { return nil }
    let layout = BitmapLayout(
      size: part.size, bytesPerRow: part.layout.bytesPerRow[0], alphaInfo: .premultipliedFirst,
      byteOrder: .byteOrder32Little)
    return CGImage(.pixels(part), layout: layout, alpha: alpha)
  }
}

extension CGFloat {
  /// Returns the pixels that a range of coordinates touches; nil if it touches none.
  fileprivate func pixels(to end: CGFloat, within count: Int) -> Range<Int>? {
    let first = Swift.max(rounded(.down), 0)
    let last = Swift.min(end.rounded(.up), CGFloat(count))
    // Also false if a bound is NaN.
    guard first < last else { return nil }
    return Int(first)..<Int(last)
  }
}

extension PixelBuffer {
  /// Returns a copy of some pixels of a packed format.
  fileprivate func part(_ columns: Range<Int>, _ rows: Range<Int>) throws(ImageError) -> PixelBuffer {
    let whole = layout
    let bytesPerPixel: Int =
      switch whole.format {
      case .grey: 1
      case .rgb: 3
      default: 4
      }
    let size = PixelSize(width: columns.count, height: rows.count)
    let layout = try PixelLayout(whole.format, size: size, bytesPerRow: whole.bytesPerRow)
    let offset = rows.lowerBound * whole.bytesPerRow[0] + columns.lowerBound * bytesPerPixel
    let result = try unsafe withUnsafePlanes { planes in
      Result { () throws(ImageError) in
        let rows = unsafe UnsafeRawBufferPointer(rebasing: planes[0][offset...])
        return try unsafe PixelBuffer(layout, copying: [rows], name: name)
      }
    }
    return try result.get()
  }
}
