// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Boxes in horizontal bands by their top edge, each band sorted by the left edge.
///
/// A band is as high as the highest box, so that a box reaches at most into the band below its own.
struct OverlapBands {
  /// The indices of the boxes, band by band, and the left edge of each.
  private var order: [Int32] = []
  private var lefts: [Double] = []
  /// The start of each band in `order`, and the end of the last one.
  private var starts: [Int] = []
  private var top = 0.0
  private var bandHeight = 1.0
  private var widest = 0.0

  /// The maximum number of bands: more would cost more to search than they save.
  private static let maximumBands = 4096.0

  /// Sorts the boxes again.
  mutating func sort(_ boxes: [BoundingBox]) {
    var bottom = -Double.infinity
    var highest = 0.0
    top = .infinity
    widest = 0
    for box in boxes {
      top = min(top, box.minY)
      bottom = max(bottom, box.minY)
      highest = max(highest, box.height)
      widest = max(widest, box.width)
    }
    // Slightly more than the difference of two edges, which is rounded.
    widest *= 1.000001
    bandHeight = max(highest, (bottom - top) / OverlapBands.maximumBands, .leastNormalMagnitude)
    let bands = boxes.map { band(of: $0.minY) }
    order = boxes.indices.map { Int32(truncatingIfNeeded: $0) }.sorted {
      let (one, other) = (Int($0), Int($1))
      return (bands[one], boxes[one].minX, one) < (bands[other], boxes[other].minX, other)
    }
    lefts = order.map { boxes[Int($0)].minX }
    let count = (bands.max() ?? -1) + 1
    starts = [Int](repeating: 0, count: count + 1)
    for band in bands { starts[band + 1] += 1 }
    for band in 0..<count { starts[band + 1] += starts[band] }
  }

  /// Appends the boxes that overlap `box`, in no particular order.
  /// - Returns: The number of compared boxes.
  func collect(_ box: BoundingBox, _ boxes: [BoundingBox], into found: inout [Int32]) -> Int {
    guard starts.count > 1, box.maxY > top else { return 0 }
    var tests = 0
    let last = min(band(of: box.maxY), starts.count - 2)
    // One band more than needed, because a quotient may be rounded.
    let first = max(0, min(last, band(of: box.minY - bandHeight) - 1))
    for band in first...last {
      var index = firstLeft(from: box.minX - widest, in: starts[band]..<starts[band + 1])
      while index < starts[band + 1], lefts[index] < box.maxX {
        let other = boxes[Int(order[index])]
        if other.maxX > box.minX, other.maxY > box.minY, other.minY < box.maxY { found.append(order[index]) }
        index += 1
        tests += 1
      }
    }
    return tests
  }

  /// Returns the band of a top edge; 0 above all bands, and possibly the last one below all.
  private func band(of edge: Double) -> Int {
    Int(max(0, min((edge - top) / bandHeight, OverlapBands.maximumBands)))
  }

  /// Returns the first index of the range with a left edge of at least `left`.
  private func firstLeft(from left: Double, in range: Range<Int>) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if lefts[middle] < left { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
