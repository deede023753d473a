// SPDX-License-Identifier: Apache-2.0

public import FoveaTracking

extension ObjectTracker {
  /// How objects are followed.
  public struct Options: Sendable, Hashable {
    /// Which tracker gives the identities, with its parameters; Fovea's own by default.
    ///
    /// The default begins an object at a score of 0.5, which suits most detectors. The frame rate is replaced by that of
    /// the source where that is known.
    public var tracker = Tracker.fovea(.detector(threshold: 0.5))
    /// On which frames the detector looks: 1, the default, for each; 5 for every fifth; at most 1000.
    ///
    /// In between boxes move with the image (optical flow), at a small part of the cost of a detector. New objects are
    /// found when the detector looks again.
    public var detectEvery = 1
    /// Whether the motion of the camera is measured in the image, and not derived from the boxes; false by default.
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
      var configuration = FoveaTracker.Configuration.stream(threshold: threshold, objectLimit: objectLimit)
      configuration.duplicateOverlap = streamDuplicateOverlap
      var options = Options()
      options.tracker = .fovea(configuration)
      return options
    }

    /// Lower than the tracker's own default, because an identity is given at once here.
    ///
    /// A second box on a fast person lies on the first with an IoU of about a half. On the clips of the tests all values
    /// from 0.05 to 0.45 do the same.
    private static let streamDuplicateOverlap = 0.3

    /// Throws for values out of range.
    package static func check(every: Int?, frameRate: Double?) throws(FoveaError) {
      try OptionChecks.range("every", every, 1...1_000, property: "detectEvery")
      try OptionChecks.range("frame-rate", frameRate, 0.1...1_000)
    }

    func check() throws(FoveaError) {
      try Options.check(every: detectEvery, frameRate: nil)
      guard tracker.kind == .fovea || detectEvery == 1 else {
        throw .optionInvalid(
          "'detectEvery' is \(detectEvery), and the tracker '\(tracker.kind.rawValue)' needs detections on every frame",
          remedy: "Use the tracker 'fovea', or detect on every frame")
      }
    }

    /// The tracker, before its first frame.
    package func makeTracker(frameRate: Double?) throws(FoveaError) -> any MultiObjectTracker {
      do throws(TrackingError) { return try tracker.makeTracker(frameRate: frameRate) } catch {
        throw FoveaError(error)
      }
    }
  }
}
