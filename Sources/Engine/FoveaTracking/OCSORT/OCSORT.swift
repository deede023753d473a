// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaGeometry

/// The tracker OC-SORT: SORT that trusts what was seen more than what its filter says.
///
/// After an occlusion the filter goes through the frames again along a straight line, pairs count more when they keep the
/// direction, and what is left is compared with the last boxes seen. It is here to be measured against; `FoveaTracker`
/// follows objects better. The motion of the camera plays no part.
///
/// **Source:** Cao et al., "Observation-Centric SORT: Rethinking SORT for Robust Multi-Object Tracking", 2023, arXiv
/// 2203.14360.
public struct OCSORT: MultiObjectTracker {
  /// The parameters that the tracker was made with.
  public let configuration: Configuration

  private var records: [OCSORTRecord] = []
  private var nextIdentity: Int
  private var clock = TrackingClock(frameRate: 30)
  private var ranked = RankedDetections()
  private var matcher = OverlapMatcher()
  // The boxes of one stage: what takes no part is empty.
  private var rows: [BoundingBox] = []
  private var columns: [BoundingBox] = []

  /// Makes a tracker with the default parameters.
  public init() { self.init(unchecked: Configuration()) }

  /// Makes a tracker.
  /// - Throws: `invalid-parameter` where one is outside its range.
  public init(configuration: Configuration) throws(TrackingError) {
    try configuration.validate()
    self.init(unchecked: configuration)
  }

  private init(unchecked configuration: Configuration) {
    self.configuration = configuration
    nextIdentity = configuration.firstIdentity
  }

  /// The identities that can still come back, those that the last frame did not show included.
  public var knownIdentities: [Int]? { records.map(\.identity) }

  /// Forgets every object and begins with the first identity again.
  public mutating func reset() { self = OCSORT(unchecked: configuration) }

  /// Takes the detections of one frame.
  /// - Parameters:
  ///   - detections: The boxes, in any order.
  ///   - time: When the frame was taken.
  ///   - cameraMotion: Plays no part.
  /// - Returns: One answer for each detection, in the same order.
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
      // What was seen is reported, not what the filter makes of it.
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
        // A dropped frame is one in which no one saw the object.
        if step > 0 { records[index].miss() }
        records[index].predict()
      }
    }
    // An area or a ratio below 0 is no box, and cannot become one again; only dropped frames leave older ones.
    let maxAge = configuration.maxAge
    records.removeAll { $0.motion.box.isEmpty || $0.unseen > maxAge + 1 }
  }

  /// Pairs by overlap, and by how well the way to a detection keeps the direction of the object.
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

  /// Pairs what is left by the last boxes seen.
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

  /// Makes the pairs of the last stage final, but for those that overlap too little.
  private mutating func keepPairs() {
    for rank in ranked.boxes.indices where matcher.rowOfColumn[rank] >= 0 {
      let overlap = rows[matcher.rowOfColumn[rank]].iou(with: ranked.boxes[rank])
      guard overlap >= configuration.minOverlap else { continue }
      ranked.matches[rank] = matcher.rowOfColumn[rank]
      records[ranked.matches[rank]].correct(ranked.boxes[rank], span: configuration.directionSpan)
    }
  }
}
