// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// A piece of a scaled image: three bytes a pixel.
struct ScaledTile {
  var rgb: [UInt8]
  /// Alpha, three times for each pixel; nil where nothing is transparent.
  var alpha: [UInt8]?
  /// The pixels of a row.
  var stride: Int
}

/// An image that is to cover a rectangle.
struct ImageScaling {
  let pixels: PixelBuffer
  /// One byte a pixel; nil where nothing is transparent.
  let alpha: PixelBuffer?
  let target: DrawnRect
  let isNearest: Bool

  /// Scales the piece of the image that belongs to a tile.
  func tile(_ tile: PixelRect, _ scratch: TensorScratch) throws(ImageError) -> ScaledTile {
    let columns = axis(tile.x, tile.width, target.minX, target.width, pixels.size.width)
    let rows = axis(tile.y, tile.height, target.minY, target.height, pixels.size.height)
    var alpha: [UInt8]?
    if let source = self.alpha { alpha = try scaled(source, columns, rows, scratch) }
    return ScaledTile(rgb: try scaled(pixels, columns, rows, scratch), alpha: alpha, stride: tile.width)
  }

  /// One axis of a tile: what it shows, and the pixels around it that its filter needs.
  private struct Axis {
    /// The part of the image, in its pixels.
    var start: Double
    var end: Double
    /// The scaled pixels of that part, and those of them that are wanted.
    var count: Int
    var wanted: Range<Int>
  }

  private func axis(
    _ first: Int, _ count: Int, _ targetStart: Double, _ targetLength: Double, _ pixels: Int
  ) -> Axis {
    let scale = Double(pixels) / targetLength
    // A filter reaches one pixel of the coarser of the two far; much enlarged images are cut at 4,096.
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
    // SAFETY: the array has the bytes that the description asks for.
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

  /// The pixel in whose area the middle of the scaled one lies.
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
