// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

extension PixelCanvas {
  /// Copies a part of the image.
  /// - Parameter box: The part, in pixels; it is grown to whole pixels and clipped to the image.
  /// - Returns: The part; nil if it is outside the image.
  package func cropped(to box: BoundingBox) -> PixelCanvas? {
    guard let part = region(of: box) else { return nil }
    let crop = PixelCanvas(size: part.size)
    let (start, rowBytes) = (part.y * bytesPerRow + part.x * 4, part.size.width * 4)
    unsafe withUnsafeMutableBytes { source in
      unsafe crop.withUnsafeMutableBytes { target in
        for row in 0..<part.size.height {
          let from = start + row * bytesPerRow
          unsafe target[(row * crop.bytesPerRow)...].copyBytes(from: source[from..<from + rowBytes])
        }
      }
    }
    return crop
  }

  /// Returns the whole pixels that a box touches; nil if there are none.
  private func region(of box: BoundingBox) -> (x: Int, y: Int, size: PixelSize)? {
    let shown = box.clamped(to: size)
    guard !shown.isEmpty else { return nil }
    let (left, top) = (Int(shown.minX.rounded(.down)), Int(shown.minY.rounded(.down)))
    let (right, bottom) = (Int(shown.maxX.rounded(.up)), Int(shown.maxY.rounded(.up)))
    return (left, top, PixelSize(width: right - left, height: bottom - top))
  }
}
