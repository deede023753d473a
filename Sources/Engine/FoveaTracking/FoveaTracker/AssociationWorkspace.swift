// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The memory for pairing objects with the detections of one frame, reused from frame to frame.
struct AssociationWorkspace: Sendable {
  /// The associated detections, in the order of `DetectionRanking`.
  private(set) var detections: [AssociationBox] = []
  /// The index of each detection in the input.
  private(set) var inputIndices: [Int] = []
  /// The object of each detection; −1 if there is none.
  var matches: [Int] = []
  /// The number of confident detections, which come first.
  private(set) var highCount = 0
  /// The predicted boxes of the objects.
  private(set) var expected: [AssociationBox] = []

  var pairs: [SparseAssignment.Pair] = []
  var solver = SparseAssignment()
  var sorter = KeySorter()
  /// Objects and confident detections, sorted by the left edges of their grown boxes; the other detections,
  /// by those of their boxes.
  private(set) var trackOrder: [SortKey] = []
  private(set) var highOrder: [SortKey] = []
  private(set) var lowOrder: [SortKey] = []
  var trackSubset: [SortKey] = []
  var detectionSubset: [SortKey] = []
  private var ranking = DetectionRanking()

  /// Ranks the detections of a frame and sorts their boxes.
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

  /// Sets the predicted boxes of the objects.
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
