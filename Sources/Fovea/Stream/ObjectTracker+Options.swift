// SPDX-License-Identifier: Apache-2.0

public import FoveaTracking

extension ObjectTracker {
  /// How objects are followed.
  public struct Options: Sendable, Hashable {
    /// Which tracker gives the identities; `fovea` by default.
    public var kind = TrackerKind.fovea
    /// The parameters of the tracker `fovea`.
    ///
    /// The default begins an object at a score of 0.5, which suits most detectors. The frame rate is replaced by that of
    /// the source where that is known.
    public var configuration = ObjectTracker.Options.defaultConfiguration(threshold: 0.5)
    /// Parameters of a tracker other than `fovea`: the text of a JSON object, see each tracker's `Configuration`; nil, the
    /// default, keeps those of its paper.
    public var otherParameters: String?
    /// On which frames the detector looks: 1, the default, for each; 5 for every fifth.
    ///
    /// In between boxes move with the picture (optical flow), at a small part of the cost of a detector. New objects are
    /// found when the detector looks again.
    public var detectEvery = 1
    /// Whether the motion of the camera is measured in the picture, and not told from the boxes; false by default.
    ///
    /// It costs about a millisecond for a frame, and helps where a moving camera sees fewer than four objects.
    public var measuresCameraMotion = false

    /// The defaults.
    public init() {}

    /// ML Kit's stream mode: at most five objects, identities from 0 that an object has at once, a memory of one second.
    /// - Parameters:
    ///   - threshold: The score at which an object begins, 0…1.
    ///   - objectLimit: The most objects; 1 follows a single one.
    /// - Returns: The options.
    public static func stream(threshold: Double = 0.5, objectLimit: Int = 5) -> Options {
      var options = Options()
      options.configuration = .stream(threshold: threshold, objectLimit: objectLimit)
      return options
    }

    /// The tracker's defaults for a detector whose sure objects have `threshold` or more.
    /// - Parameter threshold: The score at which an object begins, 0…1.
    /// - Returns: The configuration.
    public static func defaultConfiguration(threshold: Double) -> FoveaTracker.Configuration {
      var configuration = FoveaTracker.Configuration()
      configuration.birthScore = threshold
      configuration.highScore = min(configuration.highScore, threshold)
      configuration.lowScore = min(configuration.lowScore, threshold)
      return configuration
    }

    func check() throws(FoveaError) {
      try OptionChecks.atLeastOne("detectEvery", detectEvery)
      guard kind == .fovea || detectEvery == 1 else {
        throw .optionInvalid(
          "'detectEvery' is \(detectEvery), and the tracker '\(kind.rawValue)' needs detections on every frame",
          remedy: "Use the tracker 'fovea', or detect on every frame")
      }
    }
  }
}
