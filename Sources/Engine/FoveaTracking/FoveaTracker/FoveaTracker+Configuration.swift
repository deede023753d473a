// SPDX-License-Identifier: Apache-2.0

extension FoveaTracker {
  /// Every parameter of the tracker.
  ///
  /// The defaults are the ones that the figures of docs/performance.md were measured with: one set for all videos.
  public struct Configuration: Sendable, Hashable {
    /// Frames per second of the video, above 0 and at most 10,000; 30 by default.
    ///
    /// Only `maxAge` depends on it.
    public var frameRate = 30.0

    // MARK: Scores

    /// The lowest score that is associated, 0…1; 0.1 by default.
    ///
    /// Raising it loses objects that are half hidden; lowering it costs time and lets noise prolong tracks.
    public var lowScore = 0.1
    /// The lowest score of a detection that may bring back or confirm an object, 0…1; 0.6 by default.
    ///
    /// Weaker ones only prolong what was seen in the frame before. Raising it breaks tracks of a weak detector; lowering
    /// it lets weak boxes compete with sure ones.
    public var highScore = 0.6
    /// The lowest score that begins an object, 0…1; 0.7 by default.
    ///
    /// Raising it begins fewer false objects and finds true ones later; lowering it does the opposite.
    public var birthScore = 0.7

    // MARK: Pairing

    /// How far boxes are grown on each side before they are compared, in parts of their size, 0…2; 0.3 by default.
    ///
    /// Raising it follows faster and shakier objects; lowering it keeps apart those that stand close together.
    public var buffer = 0.3
    /// The IoU of grown boxes from which a pair is considered at all, 0…1; 0.1 by default.
    ///
    /// Raising it refuses loose pairs sooner; lowering it costs time.
    public var bufferedOverlap = 0.1
    /// The largest cost of a pair of an object with a sure detection, 0…2; 0.85 by default.
    ///
    /// A cost of 0 is a perfect fit, 1 no overlap. Raising it loses fewer objects and confuses more; lowering it does
    /// the opposite.
    public var firstLimit = 0.85
    /// The largest cost of a pair of an object with a weak detection, 0…2; 0.6 by default.
    ///
    /// Raising it lets weak boxes that lie off an object prolong it; lowering it gives half-hidden objects up sooner.
    public var secondLimit = 0.6
    /// The largest cost of a pair of a tentative object with a sure detection, 0…2; 0.7 by default.
    ///
    /// Raising it confirms more objects, false ones too; lowering it loses fast ones.
    public var tentativeLimit = 0.7
    /// What a difference of 1 between the expected score and a detection's adds to the cost, 0…1; 0.1 by default.
    ///
    /// It keeps a half-hidden object from taking the box of the one in front. Raising it trusts scores more than places;
    /// 0 leaves scores out.
    public var scoreWeight = 0.1

    // MARK: Classes

    /// Whether detections are paired with objects of their own class only; false by default.
    ///
    /// Without it a detector may change its mind about an object, which then has the class of most of its last eight
    /// detections. With it two objects of different classes may lie on one another.
    public var perClass = false

    // MARK: Motion

    /// How unsure each step leaves the place and each measurement is, in parts of the box's size, 0.0001…1; 0.05 by
    /// default.
    ///
    /// Only its ratio to `velocityNoise` matters but for the first frames. Raising it follows old motion longer;
    /// lowering it follows the newest boxes sooner.
    public var positionNoise = 0.05
    /// How much the velocity may change in one frame, in parts of the box's size, 0.0001…1; 0.00625 by default.
    ///
    /// Raising it follows sudden turns and jitter alike; lowering it keeps a straight line through both.
    public var velocityNoise = 0.00625
    /// How many times as unsure the measured width and height are as the measured place, 0.1…10; 1.5 by default.
    ///
    /// An object's size changes more slowly than the sizes of a detector's boxes of it. Raising it steadies the size and
    /// follows changes of it later; lowering it follows every change. 1 treats size and place alike.
    public var sizeNoiseFactor = 1.5
    /// How unsure the velocity of a new object is, in multiples of `velocityNoise`, 0…1000; 20 by default.
    ///
    /// Raising it takes up the motion of the first boxes sooner, their jitter too; lowering it takes new objects for
    /// ones at rest.
    public var birthVelocityFactor = 20.0
    /// How much less boxes that moved with the image count than a detector's, 1…1000; 4 by default.
    ///
    /// It multiplies their variance. Raising it trusts them less.
    public var movedNoiseFactor = 4.0
    /// Whether a jerk of the camera is recognised by what most objects do at once; true by default.
    ///
    /// It needs four objects, and is skipped in frames whose camera motion is given.
    public var boxConsensus = true

    // MARK: Life

    /// How many detections in a row make an object, 1…1000; 3 by default.
    ///
    /// 1 gives identities at once, to false detections too. Raising it makes fewer false objects and shows true ones
    /// later. In the first `minHits` frames objects need not wait.
    public var minHits = 3
    /// How many seconds an object that no one sees is kept, 0…3600; 1 by default.
    ///
    /// Raising it bridges longer occlusions and gives more identities to strangers; lowering it does the opposite.
    public var maxAge = 1.0
    /// The fewest frames that `maxAge` may come to, 0…1,000,000; 30 by default.
    public var minAgeFrames = 30
    /// The most frames that `maxAge` may come to, `minAgeFrames`…1,000,000; 60 by default.
    public var maxAgeFrames = 60
    /// Whether `maxAge` is counted by `FrameTime.seconds` and not by frames; false by default.
    ///
    /// Frames without seconds are counted by `frameRate`. Then the two limits in frames play no part.
    public var usesTimestamps = false
    /// The IoU with an object that is there above which a detection begins no other one, 0…1; 0.55 by default.
    ///
    /// Raising it lets double detections become two objects; lowering it finds objects in crowds later.
    public var duplicateOverlap = 0.55

    // MARK: Identities and limits

    /// The first identity, −1,000,000,000…1,000,000,000; 1 by default.
    public var firstIdentity = 1
    /// The most objects in one frame; nil, the default, sets no limit.
    ///
    /// Objects that are being tracked come first, those of a higher score before others; new ones take places that are
    /// left.
    public var objectLimit: Int?
    /// The most detections of one frame that are associated, those of the highest scores, 1…100,000; 1,000 by default.
    ///
    /// It bounds time and memory on input that no detector makes.
    public var detectionLimit = 1000

    /// Makes the default configuration.
    public init() {}

    /// The configuration of a live stream, as ML Kit's stream mode behaves.
    ///
    /// At most five objects (or one), identities from 0 that begin with the first frame of an object, and one second of
    /// memory by timestamps.
    /// - Parameters:
    ///   - threshold: The detector's own threshold, 0…1: what it reports begins an object.
    ///   - objectLimit: The most objects at once.
    /// - Returns: The configuration; its parameters can still be changed.
    public static func stream(threshold: Double = 0.5, objectLimit: Int = 5) -> Configuration {
      var configuration = detector(threshold: threshold)
      configuration.minHits = 1
      configuration.usesTimestamps = true
      configuration.firstIdentity = 0
      configuration.objectLimit = objectLimit
      return configuration
    }

    /// The defaults for a detector whose sure objects have `threshold` or more.
    /// - Parameter threshold: The score at which an object begins, 0…1; the other two limits are never above it.
    /// - Returns: The configuration.
    public static func detector(threshold: Double) -> Configuration {
      var configuration = Configuration()
      configuration.birthScore = threshold
      configuration.highScore = min(configuration.highScore, threshold)
      configuration.lowScore = min(configuration.lowScore, threshold)
      return configuration
    }

    /// The parameters of the prototype that the tracker comes from.
    ///
    /// With them the results are those recorded of the prototype. They are the defaults but for `sizeNoiseFactor` 1 and
    /// `birthVelocityFactor` 10.
    public static var prototype: Configuration {
      var configuration = Configuration()
      configuration.sizeNoiseFactor = 1
      configuration.birthVelocityFactor = 10
      return configuration
    }

    /// The frames that an object is kept that no one sees.
    var ageLimit: Int { min(max(Int((maxAge * frameRate).rounded()), minAgeFrames), maxAgeFrames) }
  }
}
