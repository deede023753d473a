// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// A box of the ground truth and a box of the tracker that overlap in one frame.
struct OverlapPair {
  /// The index of the ground truth's box in the frame.
  var row: Int32
  /// The index of the tracker's box in the frame.
  var column: Int32
  /// Intersection over union, above 0.
  var similarity: Double
}

/// Finds the overlapping boxes of two lists, even if the lists are long.
struct OverlapSearch {
  /// The pairs of the last call, by row and then by column.
  private(set) var pairs: [OverlapPair] = []
  private var bands = OverlapBands()
  private var candidates: [Int32] = []

  /// The maximum number of compared pairs of boxes in one frame.
  static let maximumTests = 4_000_000_000
  /// The maximum number of overlapping pairs in one frame.
  static let maximumPairs = 50_000_000

  /// Finds all overlapping pairs; returns false if there are too many.
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

  /// Compares only columns that are near enough for the row to overlap them.
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
