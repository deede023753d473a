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
    ///
    /// A box whose IoU with an object that is there is above 0.3 begins no other one (`duplicateOverlap`).
    /// - Parameters:
    ///   - threshold: The score at which an object begins, 0…1.
    ///   - objectLimit: The most objects; 1 follows a single one.
    /// - Returns: The options.
    public static func stream(threshold: Double = 0.5, objectLimit: Int = 5) -> Options {
      var options = Options()
      options.configuration = .stream(threshold: threshold, objectLimit: objectLimit)
      options.configuration.duplicateOverlap = streamDuplicateOverlap
      return options
    }

    /// Lower than the tracker's own default, because an identity is given at once here.
    ///
    /// A second box on a fast person lies on the first with an IoU of about a half. On the clips of the tests all values
    /// from 0.05 to 0.45 do the same.
    private static let streamDuplicateOverlap = 0.3

    /// The tracker's defaults for a detector whose sure objects have `threshold` or more.
    /// - Parameter threshold: The score at which an object begins, 0…1.
    /// - Returns: The configuration.
    public static func defaultConfiguration(threshold: Double) -> FoveaTracker.Configuration {
      .detector(threshold: threshold)
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
