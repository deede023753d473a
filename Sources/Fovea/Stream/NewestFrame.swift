// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import Synchronization

/// Room for one frame between those who take pictures and the one who looks at them: a newer frame replaces the one that
/// waits.
final class NewestFrame: Sendable {
  private struct State {
    var waiting: VideoFrame?
    var reader: CheckedContinuation<VideoFrame?, Never>?
    var isFinished = false
    var counts = FrameCounts()
  }
  private let state = Mutex(State())

  /// How many frames came and were replaced so far.
  var counts: FrameCounts { state.withLock { $0.counts } }

  /// Puts a frame in; never waits.
  /// - Returns: Whether the frame was taken: not after the end.
  @discardableResult
  func put(_ frame: VideoFrame) -> Bool {
    let reader: CheckedContinuation<VideoFrame?, Never>?
    let isTaken: Bool
    (reader, isTaken) = state.withLock { state in
      guard !state.isFinished else { return (nil, false) }
      state.counts.submitted += 1
      if let reader = state.reader {
        state.reader = nil
        return (reader, true)
      }
      if state.waiting != nil { state.counts.dropped += 1 }
      state.waiting = frame
      return (nil, true)
    }
    reader?.resume(returning: frame)
    return isTaken
  }

  /// Lets nothing in any more; the frame that waits is still given out.
  func finish() {
    let reader = state.withLock { state in
      state.isFinished = true
      let reader = state.reader
      state.reader = nil
      return reader
    }
    reader?.resume(returning: nil)
  }

  /// Takes the newest frame, and waits for it where there is none.
  /// - Returns: The frame; nil after the end.
  func take() async -> VideoFrame? {
    await withCheckedContinuation { continuation in
      let ready: VideoFrame?? = state.withLock { state in
        if let frame = state.waiting {
          state.waiting = nil
          return .some(frame)
        }
        if state.isFinished { return .some(nil) }
        state.reader = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}

/// What became of the frames of a live source.
public struct FrameCounts: Sendable, Hashable {
  /// The frames that were given.
  public var submitted = 0
  /// Those that a newer frame replaced before anybody looked at them.
  public var dropped = 0

  /// No frames.
  public init() {}
}
