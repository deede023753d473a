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

  /// Makes a part of the image unrecognizable: 8 × 8 blocks of one colour each, the mean of their pixels.
  ///
  /// Pixels outside the part are not changed.
  /// - Parameter box: The part, in pixels; it is grown to whole pixels and clipped to the image.
  package func pixelate(_ box: BoundingBox) {
    guard let part = region(of: box) else { return }
    let columns = Self.blocks(of: box.minX, box.maxX, from: part.x, count: part.size.width)
    let rows = Self.blocks(of: box.minY, box.maxY, from: part.y, count: part.size.height)
    for row in rows {
      for column in columns { fill(column, row) }
    }
  }

  /// Divides a range of pixels into the eighths of a side.
  private static func blocks(of start: Double, _ end: Double, from first: Int, count: Int) -> [Range<Int>] {
    let inner = (1..<8).map { eighth in
      let edge = (start + (end - start) * Double(eighth) / 8).rounded()
      // In this order, `max` ignores an edge that is not a number, as of a box without ends.
      return Int(min(max(Double(first), edge), Double(first + count)))
    }
    let edges = [first] + inner + [first + count]
    return zip(edges, edges.dropFirst()).map { $0..<$1 }.filter { !$0.isEmpty }
  }

  /// Fills a block with the mean of its pixels.
  private func fill(_ columns: Range<Int>, _ rows: Range<Int>) {
    let count = columns.count * rows.count
    unsafe withUnsafeMutableBytes { bytes in
      for channel in 0..<3 {
        var sum = 0
        for row in rows {
          for column in columns { unsafe sum += Int(bytes[row * bytesPerRow + column * 4 + channel]) }
        }
        let mean = UInt8((sum + count / 2) / count)
        for row in rows {
          for column in columns { unsafe bytes[row * bytesPerRow + column * 4 + channel] = mean }
        }
      }
    }
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
