// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaImage
import FoveaTracking

/// What the frames of a connection or a source have in common: identities, counts, and the settings and model behind them.
///
/// A value with one owner, as `ObjectTracker` is.
struct FrameFollower: Sendable {
  private var settings = LiveSettings()
  private var task: LiveSettings.Task?
  /// Nil before the first frame.
  private var model: ServedModel?
  private var tracker: ObjectTracker?
  private var counters: FrameCounters?

  /// Takes over settings and a model that are new: what can go on goes on.
  /// - Returns: Whether identities go on; false before the first frame and where they begin again.
  /// - Throws: `invalid-line` or `invalid-zone`.
  @discardableResult
  mutating func adopt(
    _ new: LiveSettings, _ task: LiveSettings.Task, of model: ServedModel
  ) throws(FoveaError) -> Bool {
    let old = settings
    let goesOn = self.task == task && model.isSameLoad(as: self.model) && old.every == new.every
    (settings, self.task, self.model) = (new, task, model)
    guard goesOn else {
      tracker = nil
      try restartCounts()
      return false
    }
    if old.lines != new.lines || old.zones != new.zones { try restartCounts() }
    if old.trackedSelection != new.trackedSelection, case .detector(let detector) = model.engine {
      tracker?.select(new.trackedSelection, of: detector, scores: new.tracking)
    }
    return true
  }

  /// Counts from 0 again, where identities mean nothing any more.
  /// - Throws: `invalid-line` or `invalid-zone`.
  mutating func restartCounts() throws(FoveaError) { counters = try settings.counters() }

  /// Takes the next frame.
  /// - Parameters:
  ///   - frame: The frame; its number and time are larger than those of the one before.
  ///   - source: What the record calls its video.
  ///   - detector: The detector of the model.
  ///   - frameRate: Frames a second, where the tracker begins; nil takes its own.
  /// - Returns: What is in the frame: of the objects that are followed and counted, those to report.
  /// - Throws: What `ObjectTracker` throws; the next frame can be taken anyway.
  mutating func track(
    _ frame: VideoFrame, of source: String, with detector: ObjectDetector, frameRate: Double? = nil
  ) async throws(FoveaError) -> FrameRecord {
    var tracker = if let tracker { tracker } else { try newTracker(detector, frameRate) }
    // Nothing else holds it while it changes, or all that it knows would be copied.
    self.tracker = nil
    defer { self.tracker = tracker }
    let tracked = try await tracker.track(frame)
    var record = FrameRecord(tracked, source: source)
    if counters?.isEmpty == false {
      counters?.update(record.objects, known: tracked.knownIdentities)
      record.counts = counters?.table
    }
    // Counted is who is followed, also in a frame that shows too little of them.
    record.objects = settings.reported(record.objects)
    return record
  }

  private func newTracker(
    _ detector: ObjectDetector, _ frameRate: Double?
  ) throws(FoveaError) -> ObjectTracker {
    var options = ObjectTracker.Options()
    options.tracker = .fovea(settings.tracking)
    options.detectEvery = settings.every
    return try ObjectTracker(
      detector: detector, selecting: settings.trackedSelection, frameRate: frameRate, options: options)
  }
}
#endif
