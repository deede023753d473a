// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The tracker SORT: one filter per box, and the pairs with the largest overlap.
///
/// It is included for comparison; `FoveaTracker` tracks better. Camera motion is ignored.
///
/// **Source:** Bewley et al., "Simple Online and Realtime Tracking", 2016, arXiv 1602.00763.
public struct SORT: MultiObjectTracker {
  private struct Record: Sendable {
    var motion: AreaMotion
    var identity: Int
    var streak = 0
    var unseen = 0
  }

  /// The tracker's parameters.
  public let configuration: Configuration

  private var records: [Record] = []
  private var nextIdentity: Int
  private var clock = TrackingClock(frameRate: 30)
  private var ranking = DetectionRanking()
  private var matcher = OverlapMatcher()
  private var expected: [BoundingBox] = []
  private var boxes: [BoundingBox] = []

  /// Creates a tracker with the default parameters.
  public init() { self.init(unchecked: Configuration()) }

  /// Creates a tracker.
  /// - Throws: `invalid-parameter` if a parameter is outside its range.
  public init(configuration: Configuration) throws(TrackingError) {
    try configuration.validate()
    self.init(unchecked: configuration)
  }

  private init(unchecked configuration: Configuration) {
    self.configuration = configuration
    nextIdentity = configuration.firstIdentity
  }

  /// The identities that can still reappear, including those not seen in the last frame.
  public var knownIdentities: [Int]? { records.map(\.identity) }

  /// Forgets all objects and restarts with the first identity.
  public mutating func reset() { self = SORT(unchecked: configuration) }

  /// Processes the detections of one frame.
  /// - Parameters:
  ///   - detections: The boxes, in any order.
  ///   - time: The time of the frame.
  ///   - cameraMotion: Ignored.
  /// - Returns: One result per detection, in the same order.
  public mutating func update(
    _ detections: [TrackingDetection], at time: FrameTime, cameraMotion: CameraMotion?
  ) -> [TrackedDetection] {
    var answers = detections.map { TrackedDetection(outcome: .refused, box: $0.box) }
    predict(steps: clock.advance(to: time))
    clock.updates += 1
    ranking.rank(detections, lowScore: configuration.minScore, limit: configuration.detectionLimit)
    boxes.removeAll(keepingCapacity: true)
    for key in ranking.order { boxes.append(detections[key.index].box) }
    // As in the paper, the total overlap is maximised first. Pairs that overlap too little are refused
    // afterwards.
    matcher.match(expected, boxes, limit: 0) { -$2 }
    let minOverlap = configuration.minOverlap
    for (rank, key) in ranking.order.enumerated() {
      let row = matcher.rowOfColumn[rank]
      if row >= 0, expected[row].iou(with: boxes[rank]) >= minOverlap {
        correct(row, boxes[rank])
        answers[key.index] = answer(records[row], detections[key.index])
      } else {
        begin(boxes[rank])
        answers[key.index] = answer(records[records.count - 1], detections[key.index])
      }
    }
    records.removeAll { $0.unseen > configuration.maxAge }
    return answers
  }

  private mutating func predict(steps: Int) {
    for index in records.indices {
      for _ in 0..<min(steps, configuration.maxAge + 2) {
        records[index].motion.predict()
        if records[index].unseen > 0 { records[index].streak = 0 }
        records[index].unseen += 1
      }
    }
    // A box with an area or ratio below 0 cannot recover; older objects exist only after dropped frames.
    let maxAge = configuration.maxAge
    records.removeAll { $0.motion.box.isEmpty || $0.unseen > maxAge + 1 }
    expected.removeAll(keepingCapacity: true)
    for record in records { expected.append(record.motion.box) }
  }

  private mutating func correct(_ index: Int, _ box: BoundingBox) {
    records[index].motion.correct(box)
    records[index].unseen = 0
    records[index].streak += 1
  }

  private mutating func begin(_ box: BoundingBox) {
    records.append(Record(motion: AreaMotion(box), identity: nextIdentity))
    nextIdentity += 1
  }

  private func answer(_ record: Record, _ detection: TrackingDetection) -> TrackedDetection {
    guard record.streak >= configuration.minHits || clock.updates <= configuration.minHits else {
      return TrackedDetection(outcome: .tentative, box: detection.box)
    }
    return TrackedDetection(
      outcome: .tracked, identity: record.identity, box: record.motion.box, classIndex: detection.classIndex)
  }
}
