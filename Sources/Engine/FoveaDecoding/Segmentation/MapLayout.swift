// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
import FoveaRuntime

/// The sides of a map and the order of its numbers, as a shape can be read.
package struct MapLayout: Sendable, Hashable {
  /// The number of cells in a row.
  package let columns: Int
  /// The number of rows of cells.
  package let rows: Int
  /// The numbers of each cell.
  package let channels: Int
  /// Whether the numbers are planes, [1, C, H, W].
  let isPlanar: Bool

  /// The shortest side of a map that is recognised without its family.
  private static let leastSide = 16
  /// A detector's finest feature map has an eighth of the input's side, a map of pixels at least a quarter.
  private static let largestStride = 4
  /// The largest number of cells, those of 4,096 × 4,096, and of all numbers.
  private static let largestArea = 1 << 24
  private static let largestCount = 1 << 27

  /// Returns the ways to read [1, H, W, C], [1, C, H, W] or [1, H, W]; the likelier first.
  package static func readings(of shape: [Int], planarFirst: Bool) -> [MapLayout] {
    guard shape.first == 1, shape.allSatisfy({ $0 > 0 }) else { return [] }
    if shape.count == 3 {
      return [MapLayout(columns: shape[2], rows: shape[1], channels: 1, isPlanar: false)]
    }
    guard shape.count == 4 else { return [] }
    let last = MapLayout(columns: shape[2], rows: shape[1], channels: shape[3], isPlanar: false)
    let first = MapLayout(columns: shape[3], rows: shape[2], channels: shape[1], isPlanar: true)
    return planarFirst ? [first, last] : [last, first]
  }

  /// Whether the sides are those of an image's map: its proportions, and at least a quarter of its sides.
  package func fits(_ image: ImageShape) -> Bool {
    columns >= Self.leastSide && rows >= Self.leastSide
      && columns * Self.largestStride >= image.width && rows * Self.largestStride >= image.height
      && abs(columns * image.height - rows * image.width) <= max(image.width, image.height)
  }

  /// Whether the map may be read: not too many cells, numbers and classes.
  package var isWithinLimits: Bool {
    let (area, overflow) = columns.multipliedReportingOverflow(by: rows)
    guard !overflow, area <= Self.largestArea, channels <= MapFamily.maximumClasses else { return false }
    return area * channels <= Self.largestCount
  }

  /// The limits in words.
  package static let limits = "Fovea reads maps of at most 4,096 × 4,096 cells and 255 classes"
  /// The next step for a map beyond them.
  package static let limitsRemedy: Advice = "Export the model with a smaller map or fewer classes"
}
