// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Follows objects by their boxes alone, with motion, scores and the jerks of the camera in mind.
///
/// Each object has a filter of its place, size and velocity. In each frame the boxes that the filters expect are paired
/// with the detections: grown boxes together with plain ones, so that fast objects are found and precise pairs come
/// first; sure detections before weak ones; all pairs of a stage at once, at the least cost.
///
/// The same detections give the same answers in any order. A frame allocates its answer and nothing else
/// once the memory of earlier frames suffices.
///
/// **Source:** Zhang et al., "ByteTrack: Multi-Object Tracking by Associating Every Detection Box", 2022 (stages);
/// Yang et al., "Hybrid-SORT", 2024 (height and score); Yang et al., "Hard to Track Objects with Irregular Motions and
/// Similar Appearances? Make It Easier by Buffering the Matching Space", 2023 (grown boxes).
public struct FoveaTracker: MultiObjectTracker {
  /// The parameters that the tracker was made with.
  public private(set) var configuration: Configuration

  var records: [TrackRecord] = []
  var clock: TrackingClock
  var nextIdentity: Int
  var workspace = AssociationWorkspace()
  let noise: BoxMotion.Noise

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
    clock = TrackingClock(frameRate: configuration.frameRate)
    noise = BoxMotion.Noise(
      position: configuration.positionNoise, velocity: configuration.velocityNoise,
      birthVelocity: configuration.birthVelocityFactor * configuration.velocityNoise,
      size: configuration.positionNoise * configuration.sizeNoiseFactor)
  }

  /// The objects that are known now, in the order in which they were first seen.
  public var tracks: [Track] { records.map { snapshot($0) } }

  /// The identities that can still come back, those that the last frame did not show included.
  public var knownIdentities: [Int]? { records.compactMap(\.identity) }

  /// Takes the three scores of another configuration from the next frame on; objects that are there stay.
  package mutating func setScores(_ other: Configuration) {
    configuration.lowScore = other.lowScore
    configuration.highScore = other.highScore
    configuration.birthScore = other.birthScore
  }

  /// Forgets every object and begins with the first identity again.
  public mutating func reset() {
    records.removeAll(keepingCapacity: true)
    nextIdentity = configuration.firstIdentity
    clock = TrackingClock(frameRate: configuration.frameRate)
  }

  /// Takes the detections of one frame.
  ///
  /// A frame whose number is not above that of the one before counts as the next one. Numbers that are left out are
  /// frames that were dropped: motion is carried on through them.
  /// - Parameters:
  ///   - detections: The boxes, in any order.
  ///   - time: When the frame was taken.
  ///   - cameraMotion: Where the image of the frame before went; nil, or one that no camera makes, leaves it to the
  ///     boxes.
  /// - Returns: One answer for each detection, in the same order.
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
  /// Carries all objects on to a frame on which no detector ran.
  ///
  /// Objects are neither begun nor confirmed nor given up here, and none counts as seen. `tracks` has their boxes
  /// afterwards.
  /// - Parameters:
  ///   - boxes: Where objects went with the image. They count less than a detector's boxes, see
  ///     `Configuration.movedNoiseFactor`. Those that no object has the identity of, that have an edge that is not finite
  ///     or beyond 10⁹ pixels, or no area, are left out; of two for one object both count.
  ///   - time: When the frame was taken.
  ///   - cameraMotion: Where the image of the frame before went; nil where it is not known.
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
