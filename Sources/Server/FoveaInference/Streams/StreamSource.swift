// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaCore
import FoveaVideo
import HTTPTypes
import Logging
import Synchronization

/// A source and its viewers: it starts with the first viewer, and stops some time after the last has left.
final class StreamSource: Sendable {
  let entry: StreamEntry
  private let work: StreamWork
  /// The time it continues without viewers.
  private let linger: Duration

  private struct State {
    var status = StreamStatus()
    /// The counts of the last frame; nil if nothing is counted.
    var counts: CountTable?
    /// The labels of the objects of the last frame; nil for an object without one.
    var objects: [String?] = []
    var viewers = ViewerList()
    /// The current run; nil while it is stopped.
    var run: Int?
    var lastRun = 0
    /// The latest run, which may still be closing the source.
    var task: Task<Void, Never>?
    var stop: Task<Void, Never>?
    /// The error logged last, until the next frame.
    var logged: String?
    /// The notes that the log has.
    var loggedNotes: [String] = []
  }

  private let state = Mutex(State())

  init(_ entry: StreamEntry, _ work: StreamWork, linger: Duration) {
    self.entry = entry
    self.work = work
    self.linger = linger
  }

  /// The current status.
  var status: StreamStatus { state.withLock { $0.status } }

  /// The counts of the last frame; nil without lines and zones, and before the first frame.
  var counts: CountTable? { state.withLock { $0.counts } }

  /// All that is known at this moment.
  var reading: StreamReading {
    state.withLock { StreamReading(status: $0.status, counts: $0.counts, objects: $0.objects) }
  }

  /// Writes the members of its JSON object.
  func append(to json: inout JSONText) {
    let (status, viewers) = state.withLock { ($0.status, $0.viewers.count) }
    status.append(entry, viewers: viewers, to: &json)
  }

  // MARK: Viewers

  /// Adds a viewer until `leave` is called with its number; the first viewer starts the source.
  func join(_ need: StreamViewer.Need) -> (id: Int, viewer: StreamViewer) {
    let viewer = StreamViewer(need)
    let id: Int = state.withLock { state in
      let id = state.viewers.add(viewer)
      guard !state.viewers.isOver else { return id }
      state.stop?.cancel()
      state.stop = nil
      if state.run == nil { start(&state) }
      return id
    }
    return (id, viewer)
  }

  private func start(_ state: inout State) {
    state.lastRun += 1
    let (run, previous) = (state.lastRun, state.task)
    state.run = run
    state.status.stage = .starting
    state.status.lastError = nil
    state.task = Task {
      // A camera can be opened only after the previous run has closed it.
      await previous?.value
      await self.play(run)
    }
  }

  /// Removes a viewer; without viewers the source stops after some time.
  func leave(_ id: Int) {
    state.withLock { state in
      state.viewers.remove(id)
      guard state.viewers.isEmpty, state.run != nil, state.stop == nil else { return }
      state.stop = Task {
        guard (try? await Task.sleep(for: linger)) != nil else { return }
        stopUnwatched()
      }
    }
  }

  private func stopUnwatched() {
    state.withLock { state in
      guard state.viewers.isEmpty, state.stop != nil else { return }
      state.stop = nil
      state.task?.cancel()
      state.run = nil
      state.status.stage = .idle
    }
  }

  /// Stops the source for good, and disconnects its viewers.
  func end() {
    let viewers = state.withLock { state in
      state.stop?.cancel()
      state.task?.cancel()
      state.run = nil
      state.status.stage = .idle
      return state.viewers.end()
    }
    StreamViewer.end(viewers)
  }

  /// Waits until the latest run has closed the source.
  func ended() async { await state.withLock(\.task)?.value }

  /// Disconnects the viewers, who may reconnect.
  func endViewers() { StreamViewer.end(state.withLock(\.viewers.all)) }

  // MARK: Runs

  private func play(_ run: Int) async {
    let player = StreamPlayer(source: self, work: work, run: run)
    var end = (stage: StreamStatus.Stage.ended, error: Refusal?.none)
    do { try await player.play() } catch { end = (.failed, failure(error)) }
    await player.finishEvents(
      Task.isCancelled ? .stopped : end.error == nil ? .sourceEnded : .interrupted)
    let viewers: [StreamViewer]? = state.withLock { state in
      // A stopped run has no error of its own.
      guard state.run == run else { return nil }
      state.run = nil
      state.status.stage = end.stage
      state.status.lastError = end.error
      return state.viewers.removeAll()
    }
    guard let viewers else { return }
    let status = status
    if let error = end.error { log(error, "source failed") }
    for viewer in viewers {
      viewer.put(.end(status))
      viewer.end()
    }
  }

  /// The formats that viewers need of the next frame.
  var needs: Set<StreamViewer.Need> { state.withLock { Set($0.viewers.all.map(\.need)) } }

  /// Records that the source was interrupted.
  func lost(_ error: any Error, run: Int) {
    let refusal = failure(error)
    state.withLock { state in
      guard state.run == run else { return }
      state.status.stage = .reconnecting
      state.status.lastError = refusal
    }
    log(refusal, "source lost; reopening it")
  }

  /// Logs an error once, however often it repeats: viewers retry.
  private func log(_ refusal: Refusal, _ event: String) {
    let isNew = state.withLock { state in
      defer { state.logged = refusal.message }
      return state.logged != refusal.message
    }
    guard isNew, refusal.status != Refusal.clientGone.status else { return }
    var metadata: Logger.Metadata = [
      "source": "\(entry.name)", "address": "\(entry.source.place)", "error.code": "\(refusal.code)",
      "error": "\(refusal.message)",
    ]
    if let remedy = refusal.remedy { metadata["remedy"] = "\(remedy)" }
    work.logger.warning("\(event)", metadata: metadata)
  }

  /// Sends a frame to all viewers, and keeps its counts and the labels of its objects.
  func publish(
    _ frame: StreamFrame, counts: CountTable?, objects: [String?], size: PixelSize, run: Int
  ) {
    let (viewers, notes): ([StreamViewer], [String]) = state.withLock { state in
      guard state.run == run else { return ([], []) }
      state.status.stage = .running
      state.status.lastError = nil
      state.logged = nil
      let notes = size == state.status.size ? [] : newNotes(of: size, &state)
      state.counts = counts
      state.objects = objects
      state.status.frames += 1
      return (state.viewers.all, notes)
    }
    for note in notes {
      work.logger.warning(
        "a line or zone of a source may count nothing",
        metadata: ["source": "\(entry.name)", "note": "\(note)"])
    }
    for viewer in viewers where viewer.put(.frame(frame)) { count("skipped") }
  }

  /// Keeps the size of the frames and the notes on lines and zones in them.
  /// - Returns: The notes that are not in the log yet.
  private func newNotes(of size: PixelSize, _ state: inout State) -> [String] {
    state.status.size = size
    // Lines and zones that cannot be counted end the start.
    state.status.notes = (try? entry.settings.counters().notes(outside: size)) ?? []
    let new = state.status.notes.filter { !state.loggedNotes.contains($0) }
    // A camera may change its size all the time.
    guard state.loggedNotes.count < 20 else { return [] }
    state.loggedNotes += new
    return new
  }

  /// Records why frames are not processed, while the source itself continues.
  func refused(_ refusal: Refusal, run: Int) {
    state.withLock { state in
      guard state.run == run else { return }
      state.status.lastError = refusal
    }
    log(refusal, "frames of a source are not processed")
  }

  /// Counts a frame's outcome.
  func count(_ outcome: String) {
    work.metrics.add("fovea_stream_frames_total", ["stream", entry.name, "outcome", outcome])
  }

  /// Returns the error of the source itself for viewers.
  ///
  /// Errors of videos are made from the kind of failure, so none contains anything from the address.
  private func failure(_ error: any Error) -> Refusal {
    var refusal = refusal(error)
    if let error = error as? FoveaError {
      refusal.message = "The source '\(entry.name)' failed: \(error.message)"
    }
    return refusal
  }

  /// Returns an error for viewers.
  func refusal(_ error: any Error) -> Refusal {
    var refusal =
      switch error {
      case let error as FoveaError: error.refusal
      case let error as Refusal: error
      default:
        Refusal(
          .internalServerError, "stream-failed", "The source failed unexpectedly: \(error)",
          remedy: "Report it with this text")
      }
    refusal.status = .serviceUnavailable
    return refusal
  }
}

/// A source at a moment.
struct StreamReading: Sendable {
  var status = StreamStatus()
  /// The counts of the last frame; nil without lines and zones, and before the first frame.
  var counts: CountTable?
  /// The labels of the objects of the last frame; nil for an object without one.
  var objects: [String?] = []
}
#endif
