// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

extension RowDecoder {
  /// Appends the cells whose score for a class is the highest of their 3 × 3, with the box that the maps of
  /// sizes and offsets have there.
  ///
  /// **Source:** Zhou et al., "Objects as Points", section 4; xingyizhou/CenterNet (MIT), `models/decode.py`,
  /// `_nms`, `_topk` and `ctdet_decode`.
  func appendPeaks(
    _ outputs: [[Float]], threshold: Float, limit: Int, to candidates: inout DetectionCandidates
  ) throws(DetectionError) {
    guard let classes = layout.places[.classes], let size = layout.places[.size],
      let offset = layout.places[.offset]
    else { return }
    let (best, isLogits) = try bestScores(outputs, classes)
    try checkBackground(best.scores, isLogits)
    let heat = BoxColumns(outputs, classes.runs[0])
    let peaks = hits(best, isLogits, threshold: threshold) { isPeak(heat, $0, $1) }
    var sizes = BoxColumns(outputs, size.runs[0])
    var offsets = BoxColumns(outputs, offset.runs[0])
    if !layout.openMaps.isEmpty, try areOffsets(sizes, not: offsets, in: peaks.map(\.row)) {
      swap(&sizes, &offsets)
    }
    for peak in peaks.prefix(max(family.limit, limit)) {
      let cell = cells[peak.row]
      candidates.append(
        BoundingBox(
          centerX: (cell.x + offsets.number(peak.row, 0)) * cell.stride,
          centerY: (cell.y + offsets.number(peak.row, 1)) * cell.stride,
          width: sizes.number(peak.row, 0) * cell.stride, height: sizes.number(peak.row, 1) * cell.stride),
        score: min(peak.score, 1), classIndex: peak.classIndex)
    }
  }

  /// Returns whether no cell around another has a higher score; of equal neighbours, the first is the peak.
  private func isPeak(_ heat: BoxColumns, _ row: Int, _ classIndex: Int) -> Bool {
    guard let sides = layout.grid?.sides else { return true }
    let (y, x) = row.quotientAndRemainder(dividingBy: sides[1])
    let score = heat.number(row, classIndex)
    return (max(y - 1, 0)...min(y + 1, sides[0] - 1)).allSatisfy { y in
      (max(x - 1, 0)...min(x + 1, sides[1] - 1)).allSatisfy { x in
        let other = y * sides[1] + x
        let value = heat.number(other, classIndex)
        return !(value > score || value == score && other < row)
      }
    }
  }

  /// Returns whether the first of two maps has the offsets, which are 0…1 in nearly every peak; sizes are
  /// not.
  private func areOffsets(
    _ first: BoxColumns, not second: BoxColumns, in peaks: [Int]
  ) throws(DetectionError) -> Bool {
    let canBe = [first, second].map { map in
      let inside = peaks.count { abs(map.number($0, 0) - 0.5) <= 1 && abs(map.number($0, 1) - 0.5) <= 1 }
      return inside * 10 >= peaks.count * 9
    }
    guard canBe[0] == canBe[1], !peaks.isEmpty else { return canBe[0] && !peaks.isEmpty }
    guard canBe[0] else { throw invalid("returned two maps of two numbers, neither of which holds offsets") }
    guard !layout.isAsked else { return false }
    let (sizes, offsets) = (first.run.output, second.run.output)
    throw DetectionError(
      .ambiguousModel,
      "'\(modelName)' of the family '\(family)' can be read in two ways: sizes in output \(sizes) and offsets"
        + " in output \(offsets), or the reverse, as all are 0 to 1", remedy: layout.mapRemedy)
  }
}
