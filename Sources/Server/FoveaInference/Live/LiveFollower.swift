// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaRuntime
import FoveaCore
import FoveaTracking

/// What a live connection remembers from frame to frame: identities and counts.
///
/// A value with one owner, as `ObjectTracker` is. Frames of another size begin again.
struct LiveFollower: Sendable {
  private let limits: ImageLimits
  private var settings: LiveSettings?
  private var task: LiveSettings.Task?
  private var model: ServedModel?
  private var tracker: ObjectTracker?
  private var counters: FrameCounters?
  private var size: PixelSize?

  init(limits: ImageLimits) { self.limits = limits }

  /// What is in a frame.
  struct Answer: Sendable {
    enum Content: Sendable {
      case frame(FrameRecord)
      case labels(DetectionRecord.Findings)
    }

    let content: Content
    let timings: StageTimings
  }

  /// Takes the next frame, under the settings that it came with.
  /// - Throws: `FoveaError` for an image that cannot be read, and what the model throws; a refusal for a model that does
  ///   another task. The next frame can be taken anyway.
  mutating func take(_ frame: LiveFrame) async throws -> Answer {
    let start = ContinuousClock.now
    let pixels = try await LiveFollower.pixels(frame.image, limits)
    let decode = ContinuousClock.now - start
    let task = try frame.settings.task(of: frame.model)
    try adopt(frame, task)
    try begin(pixels.size)
    switch frame.model.engine {
    case .detector(let detector) where task == .track:
      return try await track(pixels, frame, detector, decode)
    case .detector(let detector):
      let found = try await detector.analyze(
        .pixels(pixels), selecting: frame.settings.detectedSelection)
      let timings = found.timings.adding(decode: decode)
      return Answer(
        content: .frame(LiveFollower.record(frame, found.size, found.objects, timings)), timings: timings)
    case .labeler(let labeler):
      var findings = DetectionRecord.Findings(
        try await labeler.analyze(.pixels(pixels), selecting: frame.settings.labeledSelection))
      findings.timings = findings.timings.adding(decode: decode)
      return Answer(content: .labels(findings), timings: findings.timings)
    }
  }

  private mutating func track(
    _ pixels: PixelBuffer, _ frame: LiveFrame, _ detector: ObjectDetector, _ decode: Duration
  ) async throws(FoveaError) -> Answer {
    var tracker = if let tracker { tracker } else { try LiveFollower.tracker(frame.settings, detector) }
    // Nothing else holds it while it changes, or all that it knows would be copied.
    self.tracker = nil
    defer { self.tracker = tracker }
    let tracked = try await tracker.track(
      VideoFrame(pixels: pixels, number: Int(frame.sequence), seconds: frame.seconds))
    let timings = tracked.timings.adding(decode: decode)
    var record = LiveFollower.record(frame, tracked.size, tracked.objects, timings)
    record.isDetected = tracked.isDetected
    record.tracking = tracked.tracking
    if var counters, !counters.isEmpty {
      counters.update(record.objects, known: tracked.knownIdentities)
      record.counts = counters.table
      self.counters = counters
    }
    // Counted is who is followed, also in a frame that shows too little of them.
    record.objects = frame.settings.reported(record.objects)
    return Answer(content: .frame(record), timings: timings)
  }

  private static func record(
    _ frame: LiveFrame, _ size: PixelSize, _ objects: [DetectedObject], _ timings: StageTimings
  ) -> FrameRecord {
    FrameRecord(
      source: "-", number: Int(frame.sequence), seconds: frame.seconds, size: size, objects: objects,
      timings: timings)
  }

  private static func tracker(
    _ settings: LiveSettings, _ detector: ObjectDetector
  ) throws(FoveaError) -> ObjectTracker {
    var options = ObjectTracker.Options()
    options.tracker = .fovea(settings.tracking)
    options.detectEvery = settings.every
    return try ObjectTracker(detector: detector, selecting: settings.trackedSelection, options: options)
  }

  /// Takes over settings that are new: what can go on goes on.
  private mutating func adopt(_ frame: LiveFrame, _ task: LiveSettings.Task) throws(FoveaError) {
    let new = frame.settings
    defer { (settings, self.task, model) = (new, task, frame.model) }
    guard let old = settings, self.task == task, frame.model.isSameLoad(as: model),
      old.every == new.every
    else {
      tracker = nil
      counters = try new.counters()
      return
    }
    if old.lines != new.lines || old.zones != new.zones { counters = try new.counters() }
    if old.trackedSelection != new.trackedSelection, case .detector(let detector) = frame.model.engine {
      tracker?.select(new.trackedSelection, of: detector, scores: new.tracking)
    }
  }

  /// The tracker begins again by itself at another size; then its identities mean nothing to the counters.
  private mutating func begin(_ size: PixelSize) throws(FoveaError) {
    guard self.size != size else { return }
    if self.size != nil { counters = try settings?.counters() }
    self.size = size
  }

  /// The upright pixels of an encoded image, decoded on its own thread: those that all connections share must not wait.
  private static func pixels(_ image: [UInt8], _ limits: ImageLimits) async throws -> PixelBuffer {
    do {
      return try await LoadingThread.call {
        let encoded = try EncodedImage(bytes: image, name: "the frame", limits: limits)
        return try PixelBuffer(copying: try encoded.canvas(), name: "the frame")
      }
    } catch let error as ImageError {
      throw FoveaError(error)
    }
  }
}

extension StageTimings {
  /// The same with the time that decoding took before.
  fileprivate func adding(decode: Duration) -> StageTimings {
    var timings = self
    timings.decode += decode
    timings.total += decode
    return timings
  }
}
#endif
