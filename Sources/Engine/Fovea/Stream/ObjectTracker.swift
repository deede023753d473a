// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
public import FoveaImage
package import FoveaTracking

/// Tracks objects through frames: a detector finds them, a tracker assigns identities, and between two runs
/// of the detector their boxes move with the image.
///
/// Use it from one owner: frames must be passed one by one, in the order in which they were taken. For a
/// whole video use `ObjectDetector.track(_:options:)`, for a live camera `FrameSession`; both are built on
/// this type.
///
///     var tracker = try ObjectTracker(detector: detector, frameRate: 25)
///     for frame in frames {
///       for object in try await tracker.track(frame).objects { print(object.trackingID ?? -1, object.box) }
///     }
///
/// A frame whose size or orientation differs from the previous one restarts the tracking and discards all
/// objects.
public struct ObjectTracker: Sendable {
  private var detector: FrameDetector?
  private let options: Options
  private var pipeline: TrackingPipeline
  private var sinceDetection = Int.max
  /// The state of the detector from the frames so far.
  private var memory = StreamMemory()

  /// Creates a tracker with a detector.
  ///
  /// A low-score box of a half-hidden object keeps its identity alive, so create the detector with a low
  /// threshold (0.1); `Options.tracker` sets the score that a new object needs.
  /// - Parameters:
  ///   - detector: The detector.
  ///   - frameRate: Frames per second, which determine for how many frames a hidden object is kept; nil
  ///     uses 30.
  ///   - options: The options of tracking.
  /// - Throws: `option-invalid` or `invalid-parameter` for an option out of range.
  public init(
    detector: ObjectDetector, frameRate: Double? = nil, options: Options = Options()
  ) throws(FoveaError) {
    try self.init(FrameDetector(detector), frameRate: frameRate, options: options)
  }

  /// Creates a tracker for objects found by other means, for `track(_:objects:)`.
  /// - Parameters:
  ///   - frameRate: Frames per second, which determine for how many frames a hidden object is kept; nil
  ///     uses 30.
  ///   - options: The options of tracking.
  /// - Throws: `option-invalid` or `invalid-parameter` for an option out of range.
  public init(frameRate: Double? = nil, options: Options = Options()) throws(FoveaError) {
    try self.init(nil, frameRate: frameRate, options: options)
  }

  /// Creates a tracker with a shared detector; a selection sets the results for this tracker.
  package init(
    detector: ObjectDetector, selecting selection: ObjectDetector.Selection, frameRate: Double? = nil,
    options: Options = Options()
  ) throws(FoveaError) {
    try self.init(FrameDetector(detector, selecting: selection), frameRate: frameRate, options: options)
  }

  /// Continues with another selection and other scores; existing objects keep their identities.
  ///
  /// Only Fovea's own tracker supports other scores; other trackers keep theirs.
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

  /// Processes the next frame; the detector runs on it if it is due, see `Options.detectEvery`.
  /// - Parameter frame: The frame; its number and time must be greater than in the previous one.
  /// - Returns: The frame with its objects.
  /// - Throws: The errors of `ObjectDetector.analyze`; the frame is then skipped, and the next one can be
  ///   processed.
  public mutating func track(_ frame: VideoFrame) async throws(FoveaError) -> TrackedFrame {
    guard let detector else { return try follow(frame) }
    let clock = ContinuousClock()
    let start = clock.now
    if !pipeline.fits(frame) { sinceDetection = .max }
    let step = try pipeline.look(at: frame)
    defer { pipeline.lookAway() }
    // After a frame that was not processed, boxes cannot move with the image, and new objects have no box yet
    // that could.
    if step != .process { sinceDetection = .max }
    guard step != .skip else {
      var held = TrackedFrame(frame: frame, objects: pipeline.skip(frame), isDetected: false)
      held.isWatched = false
      held.tracking = clock.now - start
      return pipeline.completed(held)
    }
    guard sinceDetection >= options.detectEvery else { return try follow(frame) }
    let found = try await detector.analyze(frame, memory: memory)
    memory = found.memory
    var tracked = try track(frame, objects: found.result.objects)
    tracked.timings = found.result.timings
    return tracked
  }

  /// Processes the next frame with the objects that were found in it.
  /// - Parameters:
  ///   - frame: The frame.
  ///   - objects: The objects found, boxes in pixels of the unrotated frame.
  /// - Returns: The frame with the objects that have an identity.
  /// - Throws: `image-…` if the pixels are needed and cannot be read.
  public mutating func track(
    _ frame: VideoFrame, objects: [DetectedObject]
  ) throws(FoveaError) -> TrackedFrame {
    let clock = ContinuousClock()
    let start = clock.now
    let tracked = try pipeline.take(objects, in: frame)
    sinceDetection = 1
    var completed = pipeline.completed(
      TrackedFrame(frame: frame, objects: tracked, isDetected: true, tracking: clock.now - start))
    completed.found = objects
    return completed
  }

  /// Processes the objects of the next frame if only its size is known.
  ///
  /// Options that move boxes with the image need the image.
  /// - Returns: The objects that have an identity.
  package mutating func track(
    _ objects: [DetectedObject], size: PixelSize, orientation: Orientation, number: Int, seconds: Double
  ) throws(FoveaError) -> [DetectedObject] {
    let tracked = try pipeline.take(
      objects, in: FrameOrientation(size: size, orientation: orientation),
      at: FrameTime(number: number, seconds: seconds))
    sinceDetection = 1
    return tracked
  }

  /// Processes the next frame without the detector: boxes move with the image.
  /// - Parameter frame: The frame.
  /// - Returns: The frame with the objects that could be followed.
  /// - Throws: `image-…` if the pixels cannot be read.
  public mutating func follow(_ frame: VideoFrame) throws(FoveaError) -> TrackedFrame {
    let clock = ContinuousClock()
    let start = clock.now
    if !pipeline.fits(frame) {
      // Everything is forgotten, so the detector must run again.
      sinceDetection = .max
    } else if sinceDetection < .max {
      sinceDetection += 1
    }
    let tracked = try pipeline.move(to: frame)
    return pipeline.completed(
      TrackedFrame(frame: frame, objects: tracked, isDetected: false, tracking: clock.now - start))
  }

  /// The number of identities remembered, including those that are lost for good.
  var rememberedCount: Int { pipeline.rememberedCount }

  /// Records that the detector starts processing the last frame, while others are shown.
  mutating func remember() { pipeline.remember() }

  /// Adds the objects that the detector found in the remembered frame, while a later one is current.
  ///
  /// A result for a frame of another size or orientation is ignored.
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

  /// Forgets all objects and restarts identities.
  public mutating func reset() {
    pipeline.reset()
    sinceDetection = .max
    memory = StreamMemory()
  }
}
