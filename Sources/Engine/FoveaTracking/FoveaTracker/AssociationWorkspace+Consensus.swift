// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension AssociationWorkspace {
  /// Returns the shift of the current pairs, by the median on each axis.
  /// - Parameter count: The minimum number of pairs.
  /// - Returns: The shift in pixels; nil if the pairs do not agree.
  mutating func commonShift(atLeast count: Int) -> SIMD2<Double>? {
    let pairCount = solver.columnOfRow.count { $0 >= 0 }
    guard pairCount >= count else { return nil }
    let shift = SIMD2(median { $1.box.midX - $0.box.midX }, median { $1.box.midY - $0.box.midY })
    let deviation = SIMD2(
      median { abs($1.box.midX - $0.box.midX - shift.x) },
      median { abs($1.box.midY - $0.box.midY - shift.y) })
    let size = median { $1.area.squareRoot() }
    let length = (shift * shift).sum().squareRoot()
    let uncertainty = (deviation * deviation).sum().squareRoot() / Double(pairCount).squareRoot()
    return length > 0.05 * size && length > 3 * uncertainty ? shift : nil
  }

  /// Returns the median over the pairs: the mean of the two middle values if their number is even.
  @inline(__always)
  private mutating func median(_ value: (AssociationBox, AssociationBox) -> Double) -> Double {
    trackSubset.removeAll(keepingCapacity: true)
    for (row, column) in solver.columnOfRow.enumerated() where column >= 0 {
      trackSubset.append(SortKey(key: value(expected[row], detections[column]), index: row))
    }
    sorter.sort(&trackSubset)
    let middle = trackSubset.count / 2
    let upper = trackSubset[middle].key
    return trackSubset.count % 2 == 1 ? upper : (trackSubset[middle - 1].key + upper) / 2
  }
}
