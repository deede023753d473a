// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaGeometry

/// The tracker OC-SORT: SORT with more trust in observations than in its filter.
///
/// After an occlusion the filter is rerun over the missed frames along a straight line, pairs that keep the
/// direction get a bonus, and the remaining detections are compared with the last observed boxes. It is
/// included for comparison; `FoveaTracker` tracks better. Camera motion is ignored.
///
/// **Source:** Cao et al., "Observation-Centric SORT: Rethinking SORT for Robust Multi-Object Tracking",
/// 2023, arXiv 2203.14360.
public struct OCSORT: MultiObjectTracker {
  /// The tracker's parameters.
  public let configuration: Configuration

  private var records: [OCSORTRecord] = []
  private var nextIdentity: Int
  private var clock = TrackingClock(frameRate: 30)
  private var ranked = RankedDetections()
  private var matcher = OverlapMatcher()
  // The boxes of one stage; excluded ones are empty.
  private var rows: [BoundingBox] = []
  private var columns: [BoundingBox] = []

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
  public mutating func reset() { self = OCSORT(unchecked: configuration) }

  /// Processes the detections of one frame.
  /// - Parameters:
  ///   - detections: The boxes, in any order.
  ///   - time: The time of the frame.
  ///   - cameraMotion: Ignored.
  /// - Returns: One result per detection, in the same order.
  public mutating func update(
    _ detections: [TrackingDetection], at time: FrameTime, cameraMotion: CameraMotion?
  ) -> [TrackedDetection] {
    predict(steps: clock.advance(to: time))
    clock.updates += 1
    ranked.take(detections, lowScore: configuration.minScore, limit: configuration.detectionLimit)
    pairByDirection()
    pairLastBoxes()
    for index in records.indices where !records[index].isMatched { records[index].miss() }
    for rank in ranked.boxes.indices where ranked.matches[rank] < 0 {
      ranked.matches[rank] = records.count
      records.append(OCSORTRecord(ranked.boxes[rank], identity: nextIdentity))
      nextIdentity += 1
    }
    var answers = detections.map { TrackedDetection(outcome: .refused, box: $0.box) }
    for (rank, key) in ranked.order.enumerated() {
      let record = records[ranked.matches[rank]]
      answers[key.index].outcome = .tentative
      guard record.streak >= configuration.minHits || clock.updates <= configuration.minHits else { continue }
      // Report the observation, not the filtered box.
      answers[key.index] = TrackedDetection(
        outcome: .tracked, identity: record.identity, box: record.lastBox,
        classIndex: detections[key.index].classIndex)
    }
    let maxAge = configuration.maxAge
    records.removeAll { $0.unseen > maxAge }
    return answers
  }

  private mutating func predict(steps: Int) {
    for index in records.indices {
      for step in 0..<min(steps, configuration.maxAge + 2) {
        // The object was not seen in a dropped frame.
        if step > 0 { records[index].miss() }
        records[index].predict()
      }
    }
    // A box with an area or ratio below 0 cannot recover; older objects exist only after dropped frames.
    let maxAge = configuration.maxAge
    records.removeAll { $0.motion.box.isEmpty || $0.unseen > maxAge + 1 }
  }

  /// Pairs by overlap, and by how well the direction to a detection matches that of the object.
  ///
  /// **Source:** section 4.2 of the paper (observation-centric momentum).
  private mutating func pairByDirection() {
    let records = records
    let scores = ranked.scores
    let boxes = ranked.boxes
    let span = configuration.directionSpan
    let weight = configuration.directionWeight
    rows.removeAll(keepingCapacity: true)
    for record in records { rows.append(record.motion.box) }
    matcher.match(rows, boxes, limit: 0) { row, column, overlap in
      guard let direction = records[row].direction else { return -overlap }
      let way = OCSORTRecord.direction(from: records[row].reference(span: span), to: boxes[column])
      let angle = acos(min(max((direction * way).sum(), -1), 1))
      return -overlap - weight * scores[column] * (0.5 - angle / .pi)
    }
    keepPairs()
  }

  /// Pairs the rest by the last observed boxes.
  ///
  /// **Source:** section 4.3 of the paper (observation-centric recovery).
  private mutating func pairLastBoxes() {
    rows.removeAll(keepingCapacity: true)
    for record in records { rows.append(record.isMatched ? OverlapMatcher.absent : record.lastBox) }
    columns.removeAll(keepingCapacity: true)
    for rank in ranked.boxes.indices {
      columns.append(ranked.matches[rank] < 0 ? ranked.boxes[rank] : OverlapMatcher.absent)
    }
    matcher.match(rows, columns, limit: 0) { -$2 }
    keepPairs()
  }

  /// Stores the pairs of the last stage, except those that overlap too little.
  private mutating func keepPairs() {
    for rank in ranked.boxes.indices where matcher.rowOfColumn[rank] >= 0 {
      let overlap = rows[matcher.rowOfColumn[rank]].iou(with: ranked.boxes[rank])
      guard overlap >= configuration.minOverlap else { continue }
      ranked.matches[rank] = matcher.rowOfColumn[rank]
      records[ranked.matches[rank]].correct(ranked.boxes[rank], span: configuration.directionSpan)
    }
  }
}
