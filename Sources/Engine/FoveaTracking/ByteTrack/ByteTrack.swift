// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The tracker ByteTrack: pairs confident detections first, then weak ones with the remaining objects.
///
/// It is included for comparison; `FoveaTracker` tracks better. Camera motion is ignored.
///
/// **Source:** Zhang et al., "ByteTrack: Multi-Object Tracking by Associating Every Detection Box", 2022,
/// arXiv 2110.06864.
public struct ByteTrack: MultiObjectTracker {
  struct Record: Sendable {
    var motion: AspectMotion
    var state: TrackState
    var identity: Int?
    var firstFrame: Int
    var lastFrame: Int
    var isMatched = false
    /// Whether the object was lost for longer than the limit.
    var isExpired = false
    /// Whether the object is removed after the frame.
    var isGone = false
  }

  /// The tracker's parameters.
  public let configuration: Configuration

  var records: [Record] = []
  var clock = TrackingClock(frameRate: 30)
  private var nextIdentity: Int
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
  public var knownIdentities: [Int]? { records.compactMap(\.identity) }

  /// Forgets all objects and restarts with the first identity.
  public mutating func reset() { self = ByteTrack(unchecked: configuration) }

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
    ranked.take(detections, lowScore: configuration.lowScore.nextUp, limit: configuration.detectionLimit)
    associate()
    endMissed()
    for rank in ranked.boxes.indices
    where ranked.matches[rank] < 0 && ranked.scores[rank] >= configuration.birthScore {
      ranked.matches[rank] = records.count
      begin(ranked.boxes[rank])
    }
    markDuplicates()
    var answers = detections.map { TrackedDetection(outcome: .refused, box: $0.box) }
    for (rank, key) in ranked.order.enumerated() {
      answers[key.index] = answer(ranked.matches[rank], detections[key.index])
    }
    records.removeAll { $0.isGone }
    return answers
  }

  private mutating func predict(steps: Int) {
    // Older ones exist only after dropped frames.
    let earliest = clock.frame - configuration.ageLimit - 2
    records.removeAll { $0.lastFrame < earliest }
    for index in records.indices {
      let isLost = records[index].state != .tracked
      records[index].isMatched = false
      // As in the authors' program, an object seen only once is predicted to stay in place.
      if records[index].state == .tentative { continue }
      for _ in 0..<min(steps, configuration.ageLimit + 2) { records[index].motion.predict(isLost: isLost) }
    }
  }

  private mutating func associate() {
    let high = configuration.highScore
    let scores = ranked.scores
    pair(.all, limit: configuration.firstLimit) {
      1 - $1 * scores[$0]
    } takesPart: {
      scores[$0] > high
    }
    pair(.tracked, limit: configuration.secondLimit) {
      1 - $1
    } takesPart: {
      scores[$0] < high
    }
    pair(.tentative, limit: configuration.tentativeLimit) {
      1 - $1 * scores[$0]
    } takesPart: {
      scores[$0] > high
    }
  }

  /// The objects that a stage is for.
  private enum Stage { case all, tracked, tentative }

  /// Pairs the unmatched objects of a stage with the unmatched detections that take part.
  private mutating func pair(
    _ stage: Stage, limit: Double, cost: (Int, Double) -> Double, takesPart: (Int) -> Bool
  ) {
    rows.removeAll(keepingCapacity: true)
    for record in records {
      let belongs =
        switch stage {
        case .all: record.state != .tentative
        case .tracked: record.state == .tracked
        case .tentative: record.state == .tentative
        }
      rows.append(belongs && !record.isMatched ? record.motion.box : OverlapMatcher.absent)
    }
    columns.removeAll(keepingCapacity: true)
    for rank in ranked.boxes.indices {
      columns.append(ranked.matches[rank] < 0 && takesPart(rank) ? ranked.boxes[rank] : OverlapMatcher.absent)
    }
    matcher.match(rows, columns, limit: limit) { cost($1, $2) }
    for rank in ranked.boxes.indices where matcher.rowOfColumn[rank] >= 0 {
      ranked.matches[rank] = matcher.rowOfColumn[rank]
      correct(ranked.matches[rank], ranked.boxes[rank])
    }
  }

  private mutating func correct(_ index: Int, _ box: BoundingBox) {
    records[index].motion.correct(box)
    records[index].isMatched = true
    records[index].lastFrame = clock.frame
    // The second detection confirms an object.
    if records[index].identity == nil { identify(index) }
  }

  private mutating func identify(_ index: Int) {
    records[index].identity = nextIdentity
    nextIdentity += 1
  }

  /// Marks unseen objects as lost or removes them, and marks recovered ones as tracked.
  ///
  /// As in the authors' program, an object that has exceeded the age limit is matched in one more frame. If
  /// it reappears in that frame, it is removed in the next frame in which it is missing.
  private mutating func endMissed() {
    for index in records.indices {
      if records[index].isMatched {
        records[index].state = .tracked
      } else {
        records[index].isGone = records[index].state == .tentative || records[index].isExpired
        records[index].isExpired = clock.frame - records[index].lastFrame > configuration.ageLimit
        records[index].state = .lost
      }
    }
  }

  private mutating func begin(_ box: BoundingBox) {
    // One detection is enough only in the first frame.
    let isFirst = clock.updates == 1
    records.append(
      Record(
        motion: AspectMotion(box), state: isFirst ? .tracked : .tentative, firstFrame: clock.frame,
        lastFrame: clock.frame))
    if isFirst { identify(records.count - 1) }
  }

  /// If a lost and a visible object are in the same place, keeps only the one tracked for longer.
  private mutating func markDuplicates() {
    for lost in records.indices where records[lost].state == .lost && !records[lost].isGone {
      let box = records[lost].motion.box
      for other in records.indices
      where records[other].state != .lost
        && records[other].motion.box.iou(with: box) > configuration.duplicateOverlap
      {
        let lostAge = records[lost].lastFrame - records[lost].firstFrame
        let otherAge = records[other].lastFrame - records[other].firstFrame
        records[otherAge > lostAge ? lost : other].isGone = true
      }
    }
  }

  private func answer(_ index: Int, _ detection: TrackingDetection) -> TrackedDetection {
    guard index >= 0, !records[index].isGone else {
      return TrackedDetection(outcome: .unmatched, box: detection.box)
    }
    guard let identity = records[index].identity else {
      return TrackedDetection(outcome: .tentative, box: detection.box)
    }
    return TrackedDetection(
      outcome: .tracked, identity: identity, box: records[index].motion.box, classIndex: detection.classIndex)
  }
}
