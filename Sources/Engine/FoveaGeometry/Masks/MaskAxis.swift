// SPDX-License-Identifier: Apache-2.0

/// The pixels of one axis whose middles a mask's bounds include, and the cells between which each lies.
///
/// Shares are whole 64ths, so that a pixel's value is a whole number which is the same whether rows or
/// columns are interpolated first: bitmaps, run lengths and overlaps agree in every pixel. Along a line,
/// values between two cells only increase or only decrease, so that most pixels need no arithmetic of their
/// own.
struct MaskAxis {
  /// Neighbouring pixels that lie between the same two cells.
  private struct Segment {
    var cell: Int
    var next: Int
    var pixels: Range<Int>
  }

  /// The pixels, as numbers of rows or columns of the image.
  let pixels: Range<Int>
  /// The first of the two cells of each pixel, and the share of the second, 0…64.
  let cells: [Int32]
  let shares: [Int32]
  /// The number of cells.
  let count: Int
  private let segments: [Segment]

  /// A pixel with a larger value, a sum of bytes × 64 × 64, belongs to the object.
  private static let level: Int32 = 127 * 4_096 + 2_048
  /// The same for the values of a line of cells, bytes × 64.
  private static let lineLevel: Int32 = 127 * 64 + 32

  /// - Parameters:
  ///   - bounds: The edges of the object's box.
  ///   - region: The edges of the cells.
  ///   - count: The number of cells, at least 1.
  ///   - limit: The pixels that matter; nil for all.
  init(bounds: (Double, Double), region: (Double, Double), count: Int, within limit: Range<Int>?) {
    // The middle of pixel i is i + 0.5.
    var first = Int((bounds.0 - 0.5).rounded(.up))
    var end = max(first, Int((bounds.1 - 0.5).rounded(.up)))
    if let limit {
      first = min(max(first, limit.lowerBound), limit.upperBound)
      end = min(max(end, first), limit.upperBound)
    }
    pixels = first..<end
    self.count = count
    let scale = MaskScale(region.0, region.1 - region.0, count)
    var cells: [Int32] = []
    var shares: [Int32] = []
    var segments: [Segment] = []
    cells.reserveCapacity(pixels.count)
    shares.reserveCapacity(pixels.count)
    for pixel in pixels {
      let place = scale.place(of: Double(pixel) + 0.5)
      cells.append(Int32(truncatingIfNeeded: place.cell))
      shares.append(Int32(place.share * 64))
      if let last = segments.last, last.cell == place.cell {
        segments[segments.count - 1].pixels = last.pixels.lowerBound..<(pixel + 1)
      } else {
        segments.append(
          Segment(cell: place.cell, next: min(place.cell + 1, count - 1), pixels: pixel..<(pixel + 1)))
      }
    }
    self.cells = cells
    self.shares = shares
    self.segments = segments
  }

  /// Calls `body` with each run of pixels that belong to the object, in ascending order.
  /// - Parameters:
  ///   - line: The values of the cells along the axis, bytes × 64.
  ///   - body: Called with the first pixel of a run, and the one after its last.
  @inline(__always)
  func forEachRun(_ line: UnsafeBufferPointer<Int32>, _ body: (Int, Int) -> Void) {
    var start: Int?
    for segment in segments {
      let (first, second) = unsafe (line[segment.cell], line[segment.next])
      let (isFirst, isSecond) = (first > MaskAxis.lineLevel, second > MaskAxis.lineLevel)
      if isFirst == isSecond {
        if isFirst {
          if start == nil { start = segment.pixels.lowerBound }
        } else if let begun = start {
          body(begun, segment.pixels.lowerBound)
          start = nil
        }
        continue
      }
      // Values only increase or only decrease here: finds the first pixel on the other side.
      var low = segment.pixels.lowerBound
      var high = segment.pixels.upperBound
      while low < high {
        let middle = low + (high - low) / 2
        let share = shares[middle - pixels.lowerBound]
        if (first * (64 - share) + second * share > MaskAxis.level) == isFirst {
          low = middle + 1
        } else {
          high = middle
        }
      }
      if isFirst {
        let begun = start ?? segment.pixels.lowerBound
        start = nil
        if low == segment.pixels.upperBound { start = begun } else if begun < low { body(begun, low) }
      } else {
        if let begun = start, low > segment.pixels.lowerBound {
          body(begun, segment.pixels.lowerBound)
          start = nil
        }
        if start == nil, low < segment.pixels.upperBound { start = low }
      }
    }
    if let begun = start { body(begun, pixels.upperBound) }
  }
}
