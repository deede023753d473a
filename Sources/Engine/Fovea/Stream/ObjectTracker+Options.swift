// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
public import FoveaTracking

extension ObjectTracker {
  /// Options for tracking objects.
  public struct Options: Sendable, Hashable {
    /// The tracker that assigns identities, with its parameters; Fovea's own by default.
    ///
    /// The default starts an object at a score of 0.5, which suits most detectors. Its frame rate is replaced
    /// by the source's if that is known.
    public var tracker = Tracker.fovea(.detector(threshold: 0.5))
    /// The interval of frames on which the detector runs: 1, the default, for each; 5 for every fifth; at
    /// most 1000.
    ///
    /// In between, boxes move with the image (optical flow), at a small fraction of the detector's cost. New
    /// objects are found when the detector runs again.
    public var detectEvery = 1
    /// Whether the camera's motion is measured in the image instead of derived from the boxes; false by
    /// default.
    ///
    /// It costs about a millisecond per frame, and helps if a moving camera sees fewer than four objects.
    public var measuresCameraMotion = false
    /// The treatment of frames without motion; off by default.
    ///
    /// It has an effect only if the tracker has a detector.
    package var motion = Motion.off
    /// Areas in which motion does not count: polygons in pixels of the stored frame; none by default.
    package var motionMasks: [[PixelPoint]] = []

    /// The treatment of frames without motion.
    package enum Motion: String, Sendable, Hashable, CaseIterable {
      /// Frames of a fixed camera are skipped while nothing moves in them and all objects are still, except
      /// for a few each minute. The tracker's clock is stopped meanwhile.
      case auto
      /// All frames are processed.
      case off
    }

    /// Creates the default options.
    public init() {}

    /// Returns the options for ML Kit's stream mode: at most five objects, identities from 0 without delay, a
    /// memory of one second.
    ///
    /// A box whose IoU with an existing object is above 0.3 does not start another one (`duplicateOverlap`).
    /// - Parameters:
    ///   - threshold: The score at which an object starts, 0…1.
    ///   - objectLimit: The maximum number of objects; 1 tracks a single one.
    /// - Returns: The options.
    public static func stream(threshold: Double = 0.5, objectLimit: Int = 5) -> Options {
      var configuration = FoveaTracker.Configuration.stream(threshold: threshold, objectLimit: objectLimit)
      configuration.duplicateOverlap = streamDuplicateOverlap
      var options = Options()
      options.tracker = .fovea(configuration)
      return options
    }

    /// Lower than the tracker's own default, because identities are assigned without delay here.
    ///
    /// A second box on a fast person overlaps the first with an IoU of about 0.5. On the clips of the tests
    /// all values from 0.05 to 0.45 have the same effect.
    private static let streamDuplicateOverlap = 0.3

    /// Throws for values out of range.
    package static func check(every: Int?, frameRate: Double?) throws(FoveaError) {
      try OptionChecks.range("every", every, 1...1_000, property: "detectEvery")
      try OptionChecks.range("frame-rate", frameRate, 0.1...1_000)
    }

    package func check() throws(FoveaError) {
      try Options.check(every: detectEvery, frameRate: nil)
      guard tracker.kind == .fovea || detectEvery == 1 else {
        throw .optionInvalid(
          "'detectEvery' is \(detectEvery), and the tracker '\(tracker.kind.rawValue)' needs detections on"
            + " every frame",
          remedy: "Use the tracker 'fovea', or detect on every frame")
      }
      guard tracker.kind == .fovea || motion == .off else {
        throw .optionInvalid(
          "'motion' is \(motion.rawValue), and the tracker '\(tracker.kind.rawValue)' does not report its"
            + " objects",
          remedy: "Use the tracker 'fovea', or process all frames")
      }
      _ = try motionZones()
    }

    /// Returns the areas in which motion does not count.
    /// - Throws: `invalid-zone` for a polygon that crosses itself, or has no area.
    func motionZones() throws(FoveaError) -> [ZoneCounter] {
      var zones: [ZoneCounter] = []
      for (index, corners) in motionMasks.enumerated() {
        do throws(CountingError) { zones.append(try ZoneCounter(corners)) } catch {
          var error = FoveaError(error)
          error.message = "Motion mask \(index + 1): \(error.message)"
          throw error
        }
      }
      return zones
    }

    /// Creates the tracker, before its first frame.
    package func makeTracker(frameRate: Double?) throws(FoveaError) -> any MultiObjectTracker {
      do throws(TrackingError) { return try tracker.makeTracker(frameRate: frameRate) } catch {
        throw FoveaError(error)
      }
    }
  }
}
