// SPDX-License-Identifier: Apache-2.0

extension FoveaTracker {
  /// The parameters of the tracker.
  ///
  /// The figures in docs/performance.md were measured with the defaults: one set for all videos.
  public struct Configuration: Sendable, Hashable {
    /// The frame rate of the video in frames per second, above 0 and at most 10,000; 30 by default.
    ///
    /// Only `maxAge` depends on it.
    public var frameRate = 30.0

    // MARK: Scores

    /// The lowest score that is associated, 0…1; 0.1 by default.
    ///
    /// Raising it loses half-hidden objects; lowering it costs time and lets noise prolong tracks.
    public var lowScore = 0.1
    /// The lowest score of a detection that can recover or confirm an object, 0…1; 0.6 by default.
    ///
    /// Weaker detections only prolong objects that were seen in the previous frame. Raising it breaks tracks
    /// of a weak detector; lowering it lets weak boxes compete with confident ones.
    public var highScore = 0.6
    /// The lowest score that starts an object, 0…1; 0.7 by default.
    ///
    /// Raising it starts fewer false objects, but real objects later; lowering it does the opposite.
    public var birthScore = 0.7

    // MARK: Pairing

    /// The growth of boxes on each side before comparison, as a fraction of their size, 0…2; 0.3 by default.
    ///
    /// Raising it follows faster and shakier objects; lowering it separates objects that are close together.
    public var buffer = 0.3
    /// The smallest IoU of grown boxes for a pair to be considered, 0…1; 0.1 by default.
    ///
    /// Raising it refuses loose pairs sooner; lowering it costs time.
    public var bufferedOverlap = 0.1
    /// The largest cost of a pair of an object and a confident detection, 0…2; 0.85 by default.
    ///
    /// A cost of 0 is a perfect match, 1 is no overlap. Raising it loses fewer objects and confuses more;
    /// lowering it does the opposite.
    public var firstLimit = 0.85
    /// The largest cost of a pair of an object and a weak detection, 0…2; 0.6 by default.
    ///
    /// Raising it lets weak boxes next to an object prolong it; lowering it loses half-hidden objects sooner.
    public var secondLimit = 0.6
    /// The largest cost of a pair of a tentative object and a confident detection, 0…2; 0.7 by default.
    ///
    /// Raising it confirms more objects, including false ones; lowering it loses fast ones.
    public var tentativeLimit = 0.7
    /// The cost of a difference of 1 between the expected score and the score of a detection, 0…1; 0.1 by
    /// default.
    ///
    /// It prevents a half-hidden object from taking the box of the object in front. Raising it trusts scores
    /// more than positions; 0 ignores scores.
    public var scoreWeight = 0.1

    // MARK: Classes

    /// Whether detections are paired only with objects of their own class; false by default.
    ///
    /// If false, a detector may change an object's class, and the object has the class of most of its last
    /// eight detections. If true, two objects of different classes may overlap completely.
    public var perClass = false

    // MARK: Motion

    /// The uncertainty of the position after each step and of each measurement, as a fraction of the box's
    /// size, 0.0001…1; 0.05 by default.
    ///
    /// Except in the first frames, only its ratio to `velocityNoise` matters. Raising it follows previous
    /// motion longer; lowering it follows the newest boxes sooner.
    public var positionNoise = 0.05
    /// The expected change of velocity per frame, in fractions of the size, 0.0001…1; 0.00625 by default.
    ///
    /// Raising it follows sudden turns, but also jitter; lowering it keeps a straight line through both.
    public var velocityNoise = 0.00625
    /// The uncertainty of measured sizes relative to measured positions, 0.1…10; 1.5 by default.
    ///
    /// The size of an object changes more slowly than the sizes of its detected boxes. Raising it steadies
    /// the size, but follows changes later; lowering it follows every change. 1 treats both alike.
    public var sizeNoiseFactor = 1.5
    /// The uncertainty of a new object's velocity, in multiples of `velocityNoise`, 0…1000; 20 by default.
    ///
    /// Raising it adopts the motion of the first boxes sooner, including their jitter; lowering it assumes
    /// that new objects are at rest.
    public var birthVelocityFactor = 20.0
    /// The factor by which boxes moved with the image have less weight than detected boxes, 1…1000; 4 by
    /// default.
    ///
    /// It multiplies their variance. Raising it trusts them less.
    public var movedNoiseFactor = 4.0
    /// Whether a camera jerk is recognised from the simultaneous motion of most objects; true by default.
    ///
    /// It needs four objects, and is skipped in frames with a given camera motion.
    public var boxConsensus = true

    // MARK: Life

    /// The number of consecutive detections that confirm an object, 1…1000; 3 by default.
    ///
    /// 1 assigns identities at once, even to false detections. Raising it makes fewer false objects and shows
    /// true ones later. In the first `minHits` frames objects need not wait.
    public var minHits = 3
    /// The number of seconds that an unseen object is kept, 0…3600; 1 by default.
    ///
    /// Raising it bridges longer occlusions, but gives more identities to the wrong objects; lowering it does
    /// the opposite.
    public var maxAge = 1.0
    /// The lower limit for `maxAge` in frames, 0…1,000,000; 30 by default.
    public var minAgeFrames = 30
    /// The upper limit for `maxAge` in frames, `minAgeFrames`…1,000,000; 60 by default.
    public var maxAgeFrames = 60
    /// Whether `maxAge` is measured by `FrameTime.seconds` rather than by frames; false by default.
    ///
    /// Frames without seconds count by `frameRate`. The two limits in frames are then ignored.
    public var usesTimestamps = false
    /// The IoU with an existing object above which a detection starts no other, 0…1; 0.55 by default.
    ///
    /// Raising it lets duplicate detections become two objects; lowering it finds objects in crowds later.
    public var duplicateOverlap = 0.55

    // MARK: Identities and limits

    /// The first identity, −1,000,000,000…1,000,000,000; 1 by default.
    public var firstIdentity = 1
    /// The maximum number of objects in one frame; nil, the default, sets no limit.
    ///
    /// Tracked objects come first, higher scores before lower ones; new objects take the remaining places.
    public var objectLimit: Int?
    /// The largest number of detections per frame that are associated, those with the highest scores,
    /// 1…100,000; 1,000 by default.
    ///
    /// It bounds time and memory for input that no detector produces.
    public var detectionLimit = 1000

    /// Creates the default configuration.
    public init() {}

    /// Returns the configuration for a live stream, matching ML Kit's stream mode.
    ///
    /// At most five objects (or one), identities that start at 0 and are assigned in the first frame of an
    /// object, and one second of memory by timestamps.
    /// - Parameters:
    ///   - threshold: The detector's own threshold, 0…1: each of its detections starts an object.
    ///   - objectLimit: The largest number of objects at once.
    /// - Returns: The configuration, whose parameters can still be changed.
    public static func stream(threshold: Double = 0.5, objectLimit: Int = 5) -> Configuration {
      var configuration = detector(threshold: threshold)
      configuration.minHits = 1
      configuration.usesTimestamps = true
      configuration.firstIdentity = 0
      configuration.objectLimit = objectLimit
      return configuration
    }

    /// Returns the defaults for a detector whose confident detections have a score of at least `threshold`.
    /// - Parameter threshold: The score at which an object starts, 0…1; the other two limits never exceed it.
    /// - Returns: The configuration.
    public static func detector(threshold: Double) -> Configuration {
      var configuration = Configuration()
      configuration.birthScore = threshold
      configuration.highScore = min(configuration.highScore, threshold)
      configuration.lowScore = min(configuration.lowScore, threshold)
      return configuration
    }

    /// The parameters of the prototype of this tracker.
    ///
    /// They reproduce the recorded results of the prototype. They equal the defaults except for
    /// `sizeNoiseFactor` 1 and `birthVelocityFactor` 10.
    package static var prototype: Configuration {
      var configuration = Configuration()
      configuration.sizeNoiseFactor = 1
      configuration.birthVelocityFactor = 10
      return configuration
    }

    /// The number of frames that an unseen object is kept.
    var ageLimit: Int { min(max(Int((maxAge * frameRate).rounded()), minAgeFrames), maxAgeFrames) }
  }
}
