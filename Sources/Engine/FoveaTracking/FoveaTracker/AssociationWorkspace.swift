// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The memory in which the tracker pairs objects with the detections of one frame, kept from frame to frame.
struct AssociationWorkspace: Sendable {
  /// The detections that are associated, as `DetectionRanking` sorts them.
  private(set) var detections: [AssociationBox] = []
  /// Where each detection stands in the input.
  private(set) var inputIndices: [Int] = []
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
  private var ranking = DetectionRanking()

  /// Takes the detections of a frame and sorts them.
  mutating func take(_ input: [TrackingDetection], configuration: FoveaTracker.Configuration) {
    ranking.rank(input, lowScore: configuration.lowScore, limit: configuration.detectionLimit)
    detections.removeAll(keepingCapacity: true)
    inputIndices.removeAll(keepingCapacity: true)
    matches.removeAll(keepingCapacity: true)
    highOrder.removeAll(keepingCapacity: true)
    lowOrder.removeAll(keepingCapacity: true)
    highCount = 0
    for (rank, key) in ranking.order.enumerated() {
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
}
