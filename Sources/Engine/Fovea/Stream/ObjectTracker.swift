// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
public import FoveaImage
package import FoveaTracking

/// Follows objects through frames: a detector finds them, a tracker gives them identities, and between two looks of the
/// detector their boxes move with the image.
///
/// A value with one owner: frames go in one after the other, in the order in which they were taken. For a whole video
/// there is `ObjectDetector.track(_:options:)`, for a live camera `FrameSession`; both are built on this.
///
///     var tracker = try ObjectTracker(detector: detector, frameRate: 25)
///     for frame in frames {
///       for object in try await tracker.track(frame).objects { print(object.trackingID ?? -1, object.box) }
///     }
///
/// A frame of another size or orientation than the one before begins again: everything is forgotten.
public struct ObjectTracker: Sendable {
  private var detector: FrameDetector?
  private let options: Options
  private var pipeline: TrackingPipeline
  private var sinceDetection = Int.max
  /// What the detector remembers of the frames that it has seen.
  private var memory = StreamMemory()

  /// Makes a tracker on a detector.
  ///
  /// A weak box of an object that is half hidden keeps its identity alive, so make the detector with a low threshold
  /// (0.1); `Options.tracker` decides how sure a new object must be.
  /// - Parameters:
  ///   - detector: Finds the objects.
  ///   - frameRate: Frames a second, which the memory for hidden objects is measured by; nil takes 30.
  ///   - options: How objects are followed.
  /// - Throws: `option-invalid` or `invalid-parameter` for an option out of its range.
  public init(
    detector: ObjectDetector, frameRate: Double? = nil, options: Options = Options()
  ) throws(FoveaError) {
    try self.init(FrameDetector(detector), frameRate: frameRate, options: options)
  }

  /// Makes a tracker for objects that were found in another way, for `track(_:objects:)`.
  /// - Parameters:
  ///   - frameRate: Frames a second, which the memory for hidden objects is measured by; nil takes 30.
  ///   - options: How objects are followed.
  /// - Throws: `option-invalid` or `invalid-parameter` for an option out of its range.
  public init(frameRate: Double? = nil, options: Options = Options()) throws(FoveaError) {
    try self.init(nil, frameRate: frameRate, options: options)
  }

  /// Makes a tracker on a detector that others use too: what is found for this one is selected by call.
  package init(
    detector: ObjectDetector, selecting selection: ObjectDetector.Selection, frameRate: Double? = nil,
    options: Options = Options()
  ) throws(FoveaError) {
    try self.init(FrameDetector(detector, selecting: selection), frameRate: frameRate, options: options)
  }

  /// Goes on with other scores: objects that are there keep their identities.
  ///
  /// Only Fovea's own tracker can; another one goes on as it is.
  package mutating func select(
    _ selection: ObjectDetector.Selection, of detector: ObjectDetector,
    scores configuration: FoveaTracker.Configuration
  ) {
    self.detector = FrameDetector(detector, selecting: selection)
    pipeline.setScores(configuration)
  }

  init(
    _ detector: FrameDetector?, frameRate: Double? = nil, options: Options = Options()
  ) throws(FoveaError) {
    try options.check()
    self.detector = detector
    self.options = options
    pipeline = try TrackingPipeline(options, frameRate: frameRate)
  }

  /// Takes the next frame: the detector processes it where it is due, see `Options.detectEvery`.
  /// - Parameter frame: The frame; its number and time are larger than those of the one before.
  /// - Returns: The frame with its objects.
  /// - Throws: What `ObjectDetector.analyze` throws; the frame is then left out, and the next one can be taken.
  public mutating func track(_ frame: VideoFrame) async throws(FoveaError) -> TrackedFrame {
    guard let detector, isDetectionDue(at: frame) else { return try follow(frame) }
    let found = try await detector.analyze(frame, memory: memory)
    memory = found.memory
    var tracked = try track(frame, objects: found.result.objects)
    tracked.timings = found.result.timings
    return tracked
  }

  /// Takes the next frame with what was found in it.
  /// - Parameters:
  ///   - frame: The frame.
  ///   - objects: What was found, boxes in pixels of the unrotated frame.
  /// - Returns: The frame with those of the objects that have an identity.
  /// - Throws: `image-…` where the pixels are needed and cannot be read.
  public mutating func track(
    _ frame: VideoFrame, objects: [DetectedObject]
  ) throws(FoveaError) -> TrackedFrame {
    let clock = ContinuousClock()
    let start = clock.now
    let tracked = try pipeline.take(objects, in: frame)
    sinceDetection = 1
    return pipeline.completed(
      TrackedFrame(frame: frame, objects: tracked, isDetected: true, tracking: clock.now - start))
  }

  /// Takes what was found in the next frame, of which only the size is known.
  ///
  /// Options with which boxes move with the image need the image.
  /// - Returns: Those of the objects that have an identity.
  package mutating func track(
    _ objects: [DetectedObject], size: PixelSize, orientation: Orientation, number: Int, seconds: Double
  ) throws(FoveaError) -> [DetectedObject] {
    let tracked = try pipeline.take(
      objects, in: FrameOrientation(size: size, orientation: orientation),
      at: FrameTime(number: number, seconds: seconds))
    sinceDetection = 1
    return tracked
  }

  /// Takes the next frame without looking for objects in it: boxes move with the image.
  /// - Parameter frame: The frame.
  /// - Returns: The frame with the objects that could be followed.
  /// - Throws: `image-…` where the pixels cannot be read.
  public mutating func follow(_ frame: VideoFrame) throws(FoveaError) -> TrackedFrame {
    let clock = ContinuousClock()
    let start = clock.now
    if !pipeline.fits(frame) {
      // Everything is forgotten, so that the detector has to look again.
      sinceDetection = .max
    } else if sinceDetection < .max {
      sinceDetection += 1
    }
    let tracked = try pipeline.move(to: frame)
    return pipeline.completed(
      TrackedFrame(frame: frame, objects: tracked, isDetected: false, tracking: clock.now - start))
  }

  /// How many identities are remembered, those that are lost for good included.
  var rememberedCount: Int { pipeline.rememberedCount }

  /// Notes that the detector begins to process the frame that was taken last, while others are shown.
  mutating func remember() { pipeline.remember() }

  /// Takes what the detector found in the remembered frame, when a later one is shown.
  ///
  /// A result of a frame of another size or orientation is left out.
  mutating func catchUp(
    _ result: DetectionResult, with frame: VideoFrame
  ) throws(FoveaError) -> TrackedFrame {
    guard pipeline.canCatchUp(with: frame) else { return try follow(frame) }
    let clock = ContinuousClock()
    let start = clock.now
    let objects = try pipeline.catchUp(result.objects, in: frame)
    sinceDetection = 1
    return pipeline.completed(
      TrackedFrame(
        frame: frame, objects: objects, isDetected: true, timings: result.timings,
        tracking: clock.now - start))
  }

  /// Forgets every object and begins with the first identity again.
  public mutating func reset() {
    pipeline.reset()
    sinceDetection = .max
    memory = StreamMemory()
  }

  private func isDetectionDue(at frame: VideoFrame) -> Bool {
    sinceDetection >= options.detectEvery || !pipeline.fits(frame)
  }
}
