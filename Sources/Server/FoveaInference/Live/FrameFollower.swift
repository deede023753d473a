// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRender
import FoveaTracking

/// The state shared by the frames of a connection or source: identities, counts, settings and model.
///
/// A value with one owner, like `ObjectTracker`.
struct FrameFollower: Sendable {
  private var settings = LiveSettings()
  private var task: LiveSettings.Task?
  /// Nil before the first frame.
  private var model: ServedModel?
  private var tracker: ObjectTracker?
  private var counters: FrameCounters?
  /// The size of the last frame; nil before the first.
  private var size: PixelSize?
  /// True until the notes on the present lines and zones in frames of this size are taken.
  private var hasNewNotes = true
  /// The events of the objects; nil if they are not needed.
  var events: FrameEvents?
  private var blur: BlurredObjects?
  /// The parts of the last frame to blur, in pixels of the upright frame.
  private(set) var blurred: [BoundingBox] = []

  init(events: FrameEvents? = nil) { self.events = events }

  /// Adopts new settings and a new model, keeping all state that is still valid.
  /// - Returns: Whether identities continue; false before the first frame and after a restart.
  /// - Throws: `invalid-line` or `invalid-zone`.
  @discardableResult
  mutating func adopt(
    _ new: LiveSettings, _ task: LiveSettings.Task, of model: ServedModel
  ) throws(FoveaError) -> Bool {
    let old = settings
    let goesOn =
      self.task == task && model.isSameLoad(as: self.model) && old.every == new.every
      && old.motion == new.motion && old.motionMasks == new.motionMasks
    if !goesOn || old.shapes != new.shapes { try restartCounts(new) }
    (settings, self.task, self.model) = (new, task, model)
    guard goesOn else {
      tracker = nil
      return false
    }
    if old.trackedSelection != new.trackedSelection, case .detector(let detector) = model.engine {
      tracker?.select(new.trackedSelection, of: detector, scores: new.tracking)
    }
    return true
  }

  /// The part of the last frames that the journal has not got yet.
  struct TakenEvents: Sendable {
    /// The messages.
    let messages: [StreamEvent]
    /// The ids of the events whose image is the frame.
    let shown: [String]
    /// The number of objects without an event, because 64 were open.
    let refused: Int
    /// The parts of the image to blur, in pixels of the upright frame.
    let blurred: [BoundingBox]
  }

  /// Returns what has not been taken yet; nil without events.
  mutating func takeEvents(of source: String) -> TakenEvents? {
    guard events != nil else { return nil }
    return TakenEvents(
      messages: events?.take() ?? [], shown: events?.takeShown(in: source) ?? [],
      refused: events?.takeRefused() ?? 0, blurred: blurred)
  }

  /// Returns the notes on lines and zones that have no part in the last frame, or are in fractions, once for
  /// each size and each change of the shapes.
  mutating func takeNotes() -> [String] {
    guard hasNewNotes, let size, let counters else { return [] }
    hasNewNotes = false
    return counters.notes(outside: size)
  }

  /// Forgets all objects at the end of a video, whose next frame has nothing to do with the last one; counts
  /// go on.
  mutating func forgetObjects() {
    (tracker, blur, blurred) = (nil, nil, [])
    counters?.update([], known: [])
    events?.finish(.sourceEnded)
  }

  /// Restarts the counts at 0 and ends the events, when old identities or shapes have no meaning any more.
  private mutating func restartCounts(_ settings: LiveSettings) throws(FoveaError) {
    counters = try settings.counters()
    hasNewNotes = true
    events?.finish(.interrupted)
  }

  /// Processes the next frame.
  /// - Parameters:
  ///   - frame: The frame; its number and time must be larger than the previous frame's.
  ///   - source: The video's name in the record.
  ///   - detector: The detector of the model.
  ///   - frameRate: Frames per second for a new tracker; nil for the tracker's default.
  ///   - moment: The moment of the frame for events, in milliseconds since 1970.
  /// - Returns: The frame's contents: all followed objects are counted, but only those to report are
  ///   included.
  /// - Throws: The errors of `ObjectTracker`, `invalid-line` or `invalid-zone`; the next frame can be
  ///   processed anyway.
  mutating func track(
    _ frame: VideoFrame, of source: String, with detector: ObjectDetector, frameRate: Double? = nil,
    at moment: Int64 = 0
  ) async throws(FoveaError) -> FrameRecord {
    // The tracker restarts by itself at another size.
    if let size, size != frame.pixels.size { try restartCounts(settings) }
    size = frame.pixels.size
    var tracker = if let tracker { tracker } else { try newTracker(detector, frameRate) }
    // Keep a single reference while it changes, or all of its state would be copied.
    self.tracker = nil
    defer { self.tracker = tracker }
    let tracked = try await tracker.track(frame)
    var record = FrameRecord(tracked, source: source)
    if counters?.isEmpty == false {
      counters?.update(record.objects, known: tracked.knownIdentities)
      record.counts = counters?.table
    }
    if let counters {
      try events?.update(record, in: counters, threshold: settings.tracking.birthScore, at: moment)
    }
    blurObjects(of: tracked, record)
    // Filtered only after counting: a followed object counts even in frames where its score is too low to
    // report.
    record.objects = settings.reported(record.objects)
    return record
  }

  /// Finds the parts of a frame to blur: all followed objects, and the detections that may become one.
  private mutating func blurObjects(of frame: TrackedFrame, _ record: FrameRecord) {
    guard !settings.blur.isEmpty else { return }
    var found = record
    found.objects = frame.found
    var blur =
      self.blur ?? BlurredObjects(labels: Set(settings.blur), score: settings.tracking.birthScore)
    blurred = blur.update(
      record.upright().objects, found: found.upright().objects, seconds: frame.seconds)
    self.blur = blur
  }

  private func newTracker(
    _ detector: ObjectDetector, _ frameRate: Double?
  ) throws(FoveaError) -> ObjectTracker {
    try ObjectTracker(
      detector: detector, selecting: settings.trackedSelection, frameRate: frameRate,
      options: settings.trackerOptions)
  }
}
#endif
