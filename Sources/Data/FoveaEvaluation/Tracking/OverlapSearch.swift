// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// A box of the ground truth and a box of the tracker in one frame that overlap.
struct OverlapPair {
  /// The box of the ground truth, by its place in the frame.
  var row: Int32
  /// The tracker's box, by its place in the frame.
  var column: Int32
  /// Intersection over union, above 0.
  var similarity: Double
}

/// Finds which boxes of two lists overlap, also where the lists are long.
struct OverlapSearch {
  /// The pairs of the last call, by row and then by column.
  private(set) var pairs: [OverlapPair] = []
  private var bands = OverlapBands()
  private var candidates: [Int32] = []

  /// How many pairs of boxes are compared in one frame before it is refused.
  static let maximumTests = 4_000_000_000
  /// How many pairs may overlap in one frame.
  static let maximumPairs = 50_000_000

  /// Finds all pairs that overlap; false where there are too many of them.
  mutating func search(_ rows: [BoundingBox], _ columns: [BoundingBox]) -> Bool {
    pairs.removeAll(keepingCapacity: true)
    if rows.count * columns.count <= 10_000 {
      for row in rows.indices {
        for column in columns.indices { add(row, rows[row], column, columns[column]) }
      }
      return true
    }
    return sweep(rows, columns)
  }

  /// Looks only at columns that lie so near that the row can reach them.
  private mutating func sweep(_ rows: [BoundingBox], _ columns: [BoundingBox]) -> Bool {
    bands.sort(columns)
    var tests = 0
    for row in rows.indices {
      let box = rows[row]
      candidates.removeAll(keepingCapacity: true)
      tests += bands.collect(box, columns, into: &candidates)
      guard tests <= OverlapSearch.maximumTests else { return false }
      guard pairs.count + candidates.count <= OverlapSearch.maximumPairs else { return false }
      candidates.sort()
      for column in candidates { add(row, box, Int(column), columns[Int(column)]) }
    }
    return true
  }

  @inline(__always)
  private mutating func add(_ row: Int, _ box: BoundingBox, _ column: Int, _ other: BoundingBox) {
    let width = min(box.maxX, other.maxX) - max(box.minX, other.minX)
    guard width > 0 else { return }
    let height = min(box.maxY, other.maxY) - max(box.minY, other.minY)
    guard height > 0 else { return }
    let epsilon = Double.ulpOfOne
    let area = (box.maxX - box.minX) * (box.maxY - box.minY)
    let otherArea = (other.maxX - other.minX) * (other.maxY - other.minY)
    let shared = width * height
    let union = area + otherArea - shared
    guard area > epsilon, otherArea > epsilon, union > epsilon else { return }
    let similarity = shared / union
    guard similarity > 0 else { return }
    pairs.append(
      OverlapPair(
        row: Int32(truncatingIfNeeded: row), column: Int32(truncatingIfNeeded: column), similarity: similarity
      ))
  }
}
