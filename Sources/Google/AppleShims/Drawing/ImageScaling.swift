// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// A tile of a scaled image: three bytes per pixel.
struct ScaledTile {
  var rgb: [UInt8]
  /// Alpha, three times per pixel; nil if nothing is transparent.
  var alpha: [UInt8]?
  /// The number of pixels per row.
  var stride: Int
}

/// An image that is scaled to a rectangle.
struct ImageScaling {
  let pixels: PixelBuffer
  /// One byte per pixel; nil if nothing is transparent.
  let alpha: PixelBuffer?
  let target: DrawnRect
  let isNearest: Bool

  /// Scales the part of the image that belongs to a tile.
  func tile(_ tile: PixelRect, _ scratch: TensorScratch) throws(ImageError) -> ScaledTile {
    let columns = axis(tile.x, tile.width, target.minX, target.width, pixels.size.width)
    let rows = axis(tile.y, tile.height, target.minY, target.height, pixels.size.height)
    var alpha: [UInt8]?
    if let source = self.alpha { alpha = try scaled(source, columns, rows, scratch) }
    return ScaledTile(rgb: try scaled(pixels, columns, rows, scratch), alpha: alpha, stride: tile.width)
  }

  /// One axis of a tile: its part of the image, and the surrounding pixels that its filter needs.
  private struct Axis {
    /// The part of the image, in image pixels.
    var start: Double
    var end: Double
    /// The number of scaled pixels of that part, and the range that the tile uses.
    var count: Int
    var wanted: Range<Int>
  }

  private func axis(
    _ first: Int, _ count: Int, _ targetStart: Double, _ targetLength: Double, _ pixels: Int
  ) -> Axis {
    let scale = Double(pixels) / targetLength
    // A filter reaches one pixel of the coarser of the two grids; for strong enlargements the margin is
    // limited to 4,096.
    let margin = (min(max(1 / scale, 1), 4096)).rounded(.up) + 1
    let start = max(Double(first) - margin, targetStart)
    let end = min(Double(first + count) + margin, targetStart + targetLength)
    let skipped = Int(Double(first) - start)
    return Axis(
      start: (start - targetStart) * scale, end: (end - targetStart) * scale, count: Int(end - start),
      wanted: skipped..<skipped + count)
  }

  private func scaled(
    _ source: PixelBuffer, _ columns: Axis, _ rows: Axis, _ scratch: TensorScratch
  ) throws(ImageError) -> [UInt8] {
    if isNearest { return try nearest(source, columns, rows) }
    let region = BoundingBox(minX: columns.start, minY: rows.start, maxX: columns.end, maxY: rows.end)
    let spec = ImageTensorSpec(size: PixelSize(width: columns.count, height: rows.count))
    var bytes = [UInt8](repeating: 0, count: spec.byteCount)
    // SAFETY: the array has the number of bytes that the spec requires.
    try unsafe bytes.withUnsafeMutableBufferPointer { (bytes) throws(ImageError) in
      _ = try unsafe source.write(
        region: region, spec: spec, into: UnsafeMutableRawBufferPointer(bytes), scratch: scratch)
    }
    if columns.wanted.count == columns.count, rows.wanted.count == rows.count { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(columns.wanted.count * rows.wanted.count * 3)
    for row in rows.wanted {
      let start = row * columns.count
      result += bytes[(start + columns.wanted.lowerBound) * 3..<(start + columns.wanted.upperBound) * 3]
    }
    return result
  }

  /// Scales by the source pixel that contains the centre of each scaled pixel.
  private func nearest(_ source: PixelBuffer, _ columns: Axis, _ rows: Axis) throws(ImageError) -> [UInt8] {
    let canvas = try source.canvas()
    let stride = canvas.bytesPerRow
    func index(_ pixel: Int, _ axis: Axis, _ limit: Int) -> Int {
      let scale = (axis.end - axis.start) / Double(axis.count)
      return min(max(Int(axis.start + (Double(pixel) + 0.5) * scale), 0), limit - 1)
    }
    let sources = columns.wanted.map { index($0, columns, source.size.width) * 4 }
    return unsafe canvas.withUnsafeMutableBytes { bytes in
      var result: [UInt8] = []
      result.reserveCapacity(columns.wanted.count * rows.wanted.count * 3)
      for row in rows.wanted {
        let start = index(row, rows, source.size.height) * stride
        for offset in sources {
          for channel in 0..<3 { unsafe result.append(bytes[start + offset + 2 - channel]) }
        }
      }
      return result
    }
  }
}
