// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Tracks objects by their boxes only, using motion, scores and camera jerks.
///
/// Each object has a filter for its position, size and velocity. In each frame the predicted boxes are paired
/// with the detections: by grown and plain boxes together, so that fast objects are found and precise pairs
/// come first; confident detections before weak ones; all pairs of a stage at once, at the lowest total cost.
///
/// The same detections give the same results in any order. A frame allocates only its result once the memory
/// of earlier frames suffices.
///
/// **Source:** Zhang et al., "ByteTrack: Multi-Object Tracking by Associating Every Detection Box", 2022
/// (stages); Yang et al., "Hybrid-SORT", 2024 (height and score); Yang et al., "Hard to Track Objects with
/// Irregular Motions and Similar Appearances? Make It Easier by Buffering the Matching Space", 2023 (grown
/// boxes).
public struct FoveaTracker: MultiObjectTracker {
  /// The tracker's parameters.
  public private(set) var configuration: Configuration

  var records: [TrackRecord] = []
  var clock: TrackingClock
  var nextIdentity: Int
  var workspace = AssociationWorkspace()
  let noise: BoxMotion.Noise

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
    clock = TrackingClock(frameRate: configuration.frameRate)
    noise = BoxMotion.Noise(
      position: configuration.positionNoise, velocity: configuration.velocityNoise,
      birthVelocity: configuration.birthVelocityFactor * configuration.velocityNoise,
      size: configuration.positionNoise * configuration.sizeNoiseFactor)
  }

  /// The current objects, in the order in which they were first seen.
  public var tracks: [Track] { records.map { snapshot($0) } }

  /// The identities that can still reappear, including those not seen in the last frame.
  public var knownIdentities: [Int]? { records.compactMap(\.identity) }

  /// Applies the three score limits of another configuration from the next frame on, keeping all objects.
  package mutating func setScores(_ other: Configuration) {
    configuration.lowScore = other.lowScore
    configuration.highScore = other.highScore
    configuration.birthScore = other.birthScore
  }

  /// Forgets all objects and restarts with the first identity.
  public mutating func reset() {
    records.removeAll(keepingCapacity: true)
    nextIdentity = configuration.firstIdentity
    clock = TrackingClock(frameRate: configuration.frameRate)
  }

  /// Processes the detections of one frame.
  ///
  /// A frame whose number is not greater than the previous one is treated as the next frame. Missing numbers
  /// are treated as dropped frames; motion is predicted through them.
  /// - Parameters:
  ///   - detections: The boxes, in any order.
  ///   - time: The time of the frame.
  ///   - cameraMotion: The motion of the image since the last frame; if nil or implausible, the boxes decide.
  /// - Returns: One result per detection, in the same order.
  public mutating func update(
    _ detections: [TrackingDetection], at time: FrameTime, cameraMotion: CameraMotion?
  ) -> [TrackedDetection] {
    let steps = clock.advance(to: time)
    clock.updates += 1
    forgetOldTracks()
    predict(steps: steps)
    for index in records.indices { records[index].isMatched = false }
    workspace.take(detections, configuration: configuration)
    if let cameraMotion, cameraMotion.isUsable {
      for index in records.indices { records[index].motion.apply(cameraMotion) }
      workspace.expect(records, buffer: configuration.buffer)
    } else {
      workspace.expect(records, buffer: configuration.buffer)
      followConsensus()
    }
    associate()
    var answers = detections.map { TrackedDetection(outcome: .refused, box: $0.box) }
    finish(&answers)
    return answers
  }

  private func snapshot(_ record: TrackRecord) -> Track {
    Track(
      identity: record.identity, state: record.state, box: record.motion.box,
      velocityX: record.motion.filter.velocity.x, velocityY: record.motion.filter.velocity.y,
      classIndex: record.votes.winner, score: record.score, hits: record.hits,
      age: clock.frame - record.firstFrame, framesSinceSeen: clock.frame - record.lastFrame)
  }
}

extension FoveaTracker {
  /// Predicts all objects for a frame on which no detector ran.
  ///
  /// No object is started, confirmed or lost here, and none is recorded as seen. `tracks` contains the new
  /// boxes.
  /// - Parameters:
  ///   - boxes: The boxes of objects that were moved with the image. They have less weight than detected
  ///     boxes, see `Configuration.movedNoiseFactor`. Boxes with an unknown identity, an edge that is not
  ///     finite or beyond 10⁹ pixels, or no area are ignored; if an object has two boxes, both are used.
  ///   - time: The time of the frame.
  ///   - cameraMotion: The motion of the image since the previous frame; nil if unknown.
  public mutating func move(_ boxes: [MovedBox], at time: FrameTime, cameraMotion: CameraMotion? = nil) {
    let steps = clock.advance(to: time)
    predict(steps: steps)
    if let cameraMotion, cameraMotion.isUsable {
      for index in records.indices { records[index].motion.apply(cameraMotion) }
    }
    for moved in boxes where DetectionRanking.isUsable(moved.box) {
      guard let index = records.firstIndex(where: { $0.identity == moved.identity }) else { continue }
      records[index].motion.correct(moved.box, noise: noise, factor: configuration.movedNoiseFactor)
    }
  }
}
