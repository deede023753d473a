// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The memory in which the tracker pairs objects with the detections of one frame, kept from frame to frame.
struct AssociationWorkspace: Sendable {
  /// The detections that are looked at, by falling score; equal ones by their edges and class, so that the order of the
  /// input plays no part.
  private(set) var detections: [AssociationBox] = []
  /// Where each detection stands in the input, or among those that were left out.
  private(set) var inputIndices: [Int] = []
  /// Detections beyond the limit.
  private(set) var skipped: [Int] = []
  /// The object that each detection was paired with; −1 for none.
  var matches: [Int] = []
  /// How many of the detections, from the first on, are sure.
  private(set) var highCount = 0
  /// The boxes that the objects are expected at.
  private(set) var expected: [AssociationBox] = []

  var pairs: [SparseAssignment.Pair] = []
  var solver = SparseAssignment()
  var sorter = KeySorter()
  /// Objects and detections by the left edges of their grown boxes.
  private(set) var trackOrder: [SortKey] = []
  private(set) var highOrder: [SortKey] = []
  private(set) var lowOrder: [SortKey] = []
  var trackSubset: [SortKey] = []
  var detectionSubset: [SortKey] = []
  var residuals: [Double] = []
  private var order: [SortKey] = []

  /// The farthest edge that is looked at, in pixels: squares of larger numbers lose their meaning.
  private static let farthestEdge = 1e9

  /// Takes the detections of a frame and sorts them.
  mutating func take(_ input: [TrackingDetection], configuration: FoveaTracker.Configuration) {
    order.removeAll(keepingCapacity: true)
    for (index, detection) in input.enumerated()
    where detection.score >= configuration.lowScore && Self.isUsable(detection.box) {
      order.append(SortKey(key: -min(detection.score, 1), index: index))
    }
    sorter.sort(&order) { first, second in
      first.key != second.key
        ? first.key < second.key : Self.precedes(input[first.index], input[second.index])
    }
    skipped.removeAll(keepingCapacity: true)
    if order.count > configuration.detectionLimit {
      skipped.append(contentsOf: order[configuration.detectionLimit...].lazy.map(\.index))
      order.removeSubrange(configuration.detectionLimit...)
    }
    detections.removeAll(keepingCapacity: true)
    inputIndices.removeAll(keepingCapacity: true)
    matches.removeAll(keepingCapacity: true)
    highOrder.removeAll(keepingCapacity: true)
    lowOrder.removeAll(keepingCapacity: true)
    highCount = 0
    for (rank, key) in order.enumerated() {
      let detection = input[key.index]
      let box = AssociationBox(
        detection.box, buffer: configuration.buffer, score: -key.key, classIndex: detection.classIndex)
      detections.append(box)
      inputIndices.append(key.index)
      matches.append(-1)
      if box.score >= configuration.highScore {
        highOrder.append(SortKey(key: box.grown.minX, index: rank))
        highCount += 1
      } else {
        lowOrder.append(SortKey(key: box.box.minX, index: rank))
      }
    }
    sorter.sort(&highOrder)
    sorter.sort(&lowOrder)
  }

  /// Takes the boxes that the objects are expected at.
  mutating func expect(_ records: [TrackRecord], buffer: Double) {
    expected.removeAll(keepingCapacity: true)
    trackOrder.removeAll(keepingCapacity: true)
    for (index, record) in records.enumerated() {
      let box = AssociationBox(
        record.motion.box, buffer: buffer, score: record.expectedScore, classIndex: record.votes.winner)
      expected.append(box)
      trackOrder.append(SortKey(key: box.grown.minX, index: index))
    }
    sorter.sort(&trackOrder)
  }

  static func isUsable(_ box: BoundingBox) -> Bool {
    // Comparisons with NaN are false.
    abs(box.minX) <= farthestEdge && abs(box.minY) <= farthestEdge && abs(box.maxX) <= farthestEdge
      && abs(box.maxY) <= farthestEdge && !box.isEmpty
  }

  private static func precedes(_ first: TrackingDetection, _ second: TrackingDetection) -> Bool {
    if first.box.minX != second.box.minX { return first.box.minX < second.box.minX }
    if first.box.minY != second.box.minY { return first.box.minY < second.box.minY }
    if first.box.maxX != second.box.maxX { return first.box.maxX < second.box.maxX }
    if first.box.maxY != second.box.maxY { return first.box.maxY < second.box.maxY }
    return (first.classIndex ?? -1) < (second.classIndex ?? -1)
  }
}
