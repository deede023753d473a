// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension AssociationWorkspace {
  /// Pairs objects with unmatched confident detections, by grown and plain boxes.
  /// - Parameters:
  ///   - configuration: The parameters.
  ///   - limit: The largest cost of a pair.
  ///   - takesPart: Returns whether an object is paired in this stage.
  mutating func pairBuffered(
    _ configuration: FoveaTracker.Configuration, limit: Double, takesPart: (Int) -> Bool
  ) {
    select(from: highOrder, takesPart: takesPart)
    let weight = configuration.scoreWeight
    let gate = configuration.bufferedOverlap
    let perClass = configuration.perClass
    // Locals avoid reference counting in the loop.
    let expected = expected
    let detections = detections
    var found = beginPairs()
    PairSweep.overlaps(
      trackSubset, detectionSubset, firstEnd: { expected[$0].grown.maxX },
      secondEnd: { detections[$0].grown.maxX }
    ) { row, column in
      let track = expected[row]
      let detection = detections[column]
      let grown = AssociationBox.heightModulatedIoU(
        track.grown, track.grownArea, detection.grown, detection.grownArea)
      guard grown.iou > gate, !perClass || track.classIndex == detection.classIndex else { return }
      let plain = AssociationBox.heightModulatedIoU(track.box, track.area, detection.box, detection.area)
      let cost = 1 - 0.5 * (grown.modulated + plain.modulated) + weight * abs(track.score - detection.score)
      if cost <= limit { found.append(SparseAssignment.Pair(row: row, column: column, cost: cost)) }
    }
    solve(found, limit: limit)
  }

  /// Pairs objects with weak detections, by plain boxes only: a weak box must overlap its object.
  mutating func pairPlain(
    _ configuration: FoveaTracker.Configuration, limit: Double, takesPart: (Int) -> Bool
  ) {
    select(from: lowOrder, takesPart: takesPart)
    let weight = configuration.scoreWeight
    let perClass = configuration.perClass
    // Locals avoid reference counting in the loop.
    let expected = expected
    let detections = detections
    var found = beginPairs()
    // The order, and so the sweep, is by the grown boxes of objects and the plain boxes of detections.
    PairSweep.overlaps(
      trackSubset, detectionSubset, firstEnd: { expected[$0].box.maxX },
      secondEnd: { detections[$0].box.maxX }
    ) { row, column in
      let track = expected[row]
      let detection = detections[column]
      let plain = AssociationBox.heightModulatedIoU(track.box, track.area, detection.box, detection.area)
      guard plain.iou > 0, !perClass || track.classIndex == detection.classIndex else { return }
      let cost = 1 - plain.modulated + weight * abs(track.score - detection.score)
      if cost <= limit { found.append(SparseAssignment.Pair(row: row, column: column, cost: cost)) }
    }
    solve(found, limit: limit)
  }

  /// Selects the objects that take part, and the unmatched detections of `order`.
  private mutating func select(from order: [SortKey], takesPart: (Int) -> Bool) {
    trackSubset.removeAll(keepingCapacity: true)
    for key in trackOrder where takesPart(key.index) { trackSubset.append(key) }
    detectionSubset.removeAll(keepingCapacity: true)
    for key in order where matches[key.index] < 0 { detectionSubset.append(key) }
  }

  /// Returns the memory for pairs, empty.
  private mutating func beginPairs() -> [SparseAssignment.Pair] {
    var found: [SparseAssignment.Pair] = []
    swap(&found, &pairs)
    found.removeAll(keepingCapacity: true)
    return found
  }

  /// Solves for the pairs, and keeps their memory for reuse.
  private mutating func solve(_ found: consuming [SparseAssignment.Pair], limit: Double) {
    pairs = found
    solver.solve(rows: expected.count, columns: detections.count, pairs: pairs, limit: limit)
  }

  /// Stores the pairs of the last stage.
  mutating func keepPairs() {
    for column in detections.indices where solver.rowOfColumn[column] >= 0 {
      matches[column] = solver.rowOfColumn[column]
    }
  }
}
