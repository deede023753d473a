// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaHTTP
import FoveaImage
import FoveaRuntime
import FoveaTracking
import FoveaVideo

/// A run of a source: opens it, processes its frames, and reopens it.
///
/// A separate thread reads. For a camera or stream, only the newest frame is processed; for a file, every
/// frame, but not before its time, so that a file has the same results as with `fovea track` on any machine.
actor StreamPlayer {
  /// The state between two frames: a value with one owner, like `ObjectTracker`.
  fileprivate struct State: Sendable {
    var follower: FrameFollower
    var painter: StreamPainter
    /// The model that has the labels to blur; nil before the first frame.
    private var checked: ServedModel?

    init(hasEvents: Bool) throws(FoveaError) {
      follower = FrameFollower(events: hasEvents ? FrameEvents() : nil)
      painter = try StreamPainter()
    }
  }

  private let source: StreamSource
  private let work: StreamWork
  private let run: Int
  private var clock = StreamClock()
  /// Nil before the first frame.
  private var state: CallState<State>?
  /// The same as in `VideoReader`, but with the reopening visible in the source's state.
  private var backoff = Backoff(first: .milliseconds(500), limit: .seconds(30), attempts: 5)
  /// The number of frames since the source was opened.
  private var frames = 0

  init(source: StreamSource, work: StreamWork, run: Int) {
    self.source = source
    self.work = work
    self.run = run
  }

  /// Runs until the source ends, or the task is cancelled.
  /// - Throws: The error of a source that cannot be opened, or was lost for good.
  func play() async throws {
    var isFirst = true
    while !Task.isCancelled {
      do {
        frames = 0
        try await open()
        guard source.entry.isFile, !Task.isCancelled else { return }
        if frames == 0 { throw StreamPlayer.empty }
        try await rewind()
      } catch let error as FoveaError where !isFirst || frames > 0 {
        guard !source.entry.isFile, !Task.isCancelled, let delay = backoff.next() else { throw error }
        source.lost(error, run: run)
        try await Task.sleep(for: delay)
      }
      isFirst = false
    }
  }

  /// Forgets the objects of a file that starts again: its last frame is not the one before its first.
  private func rewind() async throws {
    let painter = try StreamPainter()
    state?.withValue { state in
      state.follower.forgetObjects()
      state.painter = painter
    }
    await keepEvents()
  }

  private static let empty = FoveaError(
    FoveaCode(VideoCode.empty), "no frame of the source could be decoded",
    remedy: "Check the source with another player")

  private func open() async throws {
    var options = VideoReader.Options()
    // This player reopens the source itself.
    options.reconnectAttempts = 0
    let stream = VideoStream(source.entry.source, options: options)
    let thread = try await WorkerPool<any FrameReader>(count: 1) { try stream.open() }
    let reader = try await thread.withResource { $0 }
    let rate = reader.state.frameRate
    clock.restart(step: source.entry.isFile ? 1 / (rate ?? 25) : nil)
    try await withTaskCancellationHandler {
      if source.entry.isFile {
        try await takeAll(of: thread, rate)
      } else {
        try await takeNewest(of: thread, rate)
      }
    } onCancel: {
      reader.cancel()
    }
  }

  private func takeAll(of thread: WorkerPool<any FrameReader>, _ rate: Double?) async throws {
    while let frame = try await thread.withResource({ try $0.next() }) {
      try await Task.sleep(until: clock.due(frame.seconds), clock: .continuous)
      try await take(frame, rate)
    }
  }

  private func takeNewest(of thread: WorkerPool<any FrameReader>, _ rate: Double?) async throws {
    let (place, input) = AsyncStream.makeStream(of: VideoFrame.self, bufferingPolicy: .bufferingNewest(1))
    let source = source
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { input.finish() }
        while let frame = try await thread.withResource({ try $0.next() }) {
          if case .dropped = input.yield(frame) { source.count("dropped") }
        }
      }
      for await frame in place { try await take(frame, rate) }
      try await group.waitForAll()
    }
  }

  /// Processes a frame in a slot and publishes it; a failed one is counted and skipped.
  /// - Throws: `CancellationError`.
  private func take(_ frame: VideoFrame, _ rate: Double?) async throws {
    frames += 1
    backoff.reset()
    let placed = clock.place(frame)
    let moment = WallClock.milliseconds
    do {
      let entry = source.entry
      let state = if let state { state } else { CallState(try State(hasEvents: work.journal != nil)) }
      self.state = state
      let model = try await work.registry.model(entry.settings.model, for: .detect, within: work.deadline)
      let needs = source.needs
      let done = try await work.scheduler.run(
        for: "stream \(entry.name)", within: work.deadline
      ) {
        try await state.change { state in
          try await state.frame(
            placed, of: entry, frameRate: rate, at: moment, model: model, needs: needs)
        }
      }
      let made = done.value
      await keepEvents(of: frame.pixels)
      work.metrics.observe("fovea_queue_seconds", seconds: done.waited.seconds)
      work.metrics.observe(made.record.timings)
      source.count("processed")
      if made.frame.message != nil { source.count("encoded") }
      if made.frame.annotated != nil { source.count("annotated") }
      source.publish(
        made.frame, counts: made.record.counts, objects: made.record.observed.map(\.label),
        size: frame.pixels.size, run: run)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      try Task.checkCancellation()
      source.count("error")
      source.refused(source.refusal(error), run: run)
    }
  }
}

extension StreamPlayer {
  /// Finishes the open events; no frame may follow.
  ///
  /// The frame that is being processed may end first. One that takes seconds keeps the events: they end when
  /// a server starts again with the same folder.
  func finishEvents(_ reason: ObjectEvent.Reason) async {
    await state?.withValue(within: .seconds(2)) { $0.follower.events?.finish(reason) }
    await keepEvents()
  }

  /// Writes the messages of the last frame, and the frame if it is the best image of an event, before anyone
  /// sees the frame.
  private func keepEvents(of pixels: PixelBuffer? = nil) async {
    let name = source.entry.name
    let found = state?.withValue { $0.follower.takeEvents(of: name) } ?? nil
    guard let journal = work.journal, let found else { return }
    if found.refused > 0 {
      work.metrics.add("fovea_events_refused_total", ["stream", name], by: Double(found.refused))
    }
    let (messages, shown) = (found.messages, found.shown)
    guard !messages.isEmpty || !shown.isEmpty else { return }
    await BlockingWork.run { _ in
      // First, because a message has the address of an image only if there is one.
      if let pixels, !shown.isEmpty { journal.snapshots.keep(pixels, blurring: found.blurred, of: shown) }
      if !messages.isEmpty { journal.append(messages, of: name) }
    }
  }
}

extension StreamPlayer.State {
  /// Processes the next frame.
  /// - Parameters:
  ///   - frame: The frame; its number and time must be greater than in the previous frame.
  ///   - entry: The source with its settings.
  ///   - frameRate: Frames per second; nil if unknown.
  ///   - moment: The moment of the frame, in milliseconds since 1970.
  ///   - model: The model; a different one starts new identities.
  ///   - needs: The formats that viewers need.
  /// - Returns: The frame for viewers, and its contents.
  /// - Throws: `FoveaError` of the model and of drawing, and an error if the model is not a detector.
  fileprivate mutating func frame(
    _ frame: VideoFrame, of entry: StreamEntry, frameRate: Double?, at moment: Int64, model: ServedModel,
    needs: Set<StreamViewer.Need>
  ) async throws -> (frame: StreamFrame, record: FrameRecord) {
    try InferenceCaller.check(.detect, model)
    guard case .detector(let detector) = model.engine else { throw CancellationError() }
    // Another version of the model may lack a label to blur.
    if !entry.settings.blur.isEmpty, !model.isSameLoad(as: checked) {
      try await entry.settings.check(with: model)
      checked = model
    }
    // Another model restarts the identities, so old trails no longer apply.
    if try !follower.adopt(entry.settings, .track, of: model) { painter = try StreamPainter() }
    // An implausible rate counts as unknown.
    let rate = frameRate.flatMap { $0 >= 0.001 && $0 <= 10_000 ? $0 : nil }
    let record: FrameRecord
    do throws(FoveaError) {
      record = try await follower.track(
        frame, of: entry.name, with: detector, frameRate: rate, at: moment)
    } catch {
      throw model.texts.concealed(error)
    }
    let painted = try painter.frame(
      frame.pixels, record, blurring: follower.blurred, masks: entry.settings.masks, needs: needs,
      keypointThreshold: model.keypointThreshold)
    return (painted, record)
  }
}
#endif
