// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaImage
import FoveaRuntime
import FoveaVideo

/// A run of a source: opens it, processes its frames, and reopens it.
///
/// A separate thread reads. For a camera or stream, only the newest frame is processed; for a file, every
/// frame, but not before its time, so that a file has the same results as with `fovea track` on any machine.
actor StreamPlayer {
  private let source: StreamSource
  private let work: StreamWork
  private let run: Int
  private var clock = StreamClock()
  private var follower: StreamFollower?
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
        guard source.entry.isFile else { return }
        if frames == 0 { throw StreamPlayer.empty }
      } catch let error as FoveaError where !isFirst || frames > 0 {
        guard !source.entry.isFile, !Task.isCancelled, let delay = backoff.next() else { throw error }
        source.lost(error, run: run)
        try await Task.sleep(for: delay)
      }
      isFirst = false
    }
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
    do {
      let entry = source.entry
      let before =
        if let follower { follower } else { try StreamFollower(name: entry.name, settings: entry.settings) }
      // Keep a single owner while it changes, or all of its state would be copied.
      follower = nil
      defer { if follower == nil { follower = before } }
      let model = try await work.registry.model(entry.settings.model, for: .detect, within: work.deadline)
      let needs = source.needs
      let done = try await work.scheduler.run(
        for: "stream \(entry.name)", within: work.deadline
      ) {
        var next = before
        let made = try await next.take(placed, frameRate: rate, model: model, needs: needs)
        return (next, made.frame, made.timings)
      }
      follower = done.value.0
      work.metrics.observe("fovea_queue_seconds", seconds: done.waited.seconds)
      work.metrics.observe(done.value.2)
      source.count("processed")
      if done.value.1.message != nil { source.count("encoded") }
      if done.value.1.annotated != nil { source.count("annotated") }
      source.publish(done.value.1, size: frame.pixels.size, run: run)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      try Task.checkCancellation()
      source.count("error")
      source.refused(source.refusal(error), run: run)
    }
  }
}
#endif
