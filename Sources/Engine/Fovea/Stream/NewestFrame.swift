// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import Synchronization

/// Room for one frame between those who take images and the one reader that processes them: a newer frame replaces the
/// one that waits.
final class NewestFrame: Sendable {
  private let frames: AsyncStream<VideoFrame>
  private let input: AsyncStream<VideoFrame>.Continuation
  private let total = Mutex(FrameCounts())

  init() { (frames, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// How many frames came and were replaced so far.
  var counts: FrameCounts { total.withLock { $0 } }

  /// Puts a frame in; never waits.
  /// - Returns: Whether the frame was taken: not after the end.
  @discardableResult
  func put(_ frame: VideoFrame) -> Bool {
    // A dropped frame leaves the lock with the result: what runs when its memory goes may ask for the counts.
    let result = total.withLock { total in
      let result = input.yield(frame)
      if case .terminated = result { return result }
      total.submitted += 1
      if case .dropped = result { total.dropped += 1 }
      return result
    }
    if case .terminated = result { return false }
    return true
  }

  /// Lets nothing in any more; the frame that waits is still given out.
  func finish() { input.finish() }

  /// Takes the newest frame, and waits for it where there is none.
  /// - Returns: The frame; nil after the end.
  func take() async -> VideoFrame? {
    var iterator = frames.makeAsyncIterator()
    return await iterator.next()
  }
}

/// What became of the frames of a live source.
public struct FrameCounts: Sendable, Hashable {
  /// The frames that were given.
  public var submitted = 0
  /// Those that a newer frame replaced before they were processed.
  public var dropped = 0

  /// No frames.
  public init() {}
}
