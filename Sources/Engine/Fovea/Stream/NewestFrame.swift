// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaImage
import Synchronization

/// Room for one frame between those who take images and the one reader that processes them: a newer frame replaces the
/// one that waits.
final class NewestFrame: Sendable {
  private let frames = Mailbox<VideoFrame>(.bufferingNewest(1))
  private let total = Mutex(FrameCounts())

  /// How many frames came and were replaced so far.
  var counts: FrameCounts { total.withLock { $0 } }

  /// Puts a frame in; never waits.
  /// - Returns: Whether the frame was taken: not after the end.
  @discardableResult
  func put(_ frame: VideoFrame) -> Bool {
    // A dropped frame leaves the lock with the result: what runs when its memory goes may ask for the counts.
    let result = total.withLock { total in
      let result = frames.put(frame)
      if case .terminated = result { return result }
      total.submitted += 1
      if case .dropped = result { total.dropped += 1 }
      return result
    }
    if case .terminated = result { return false }
    return true
  }

  /// Lets nothing in any more; the frame that waits is still given out.
  func finish() { frames.finish() }

  /// Takes the newest frame, and waits for it where there is none.
  /// - Returns: The frame; nil after the end.
  func take() async -> VideoFrame? { await frames.take() }
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
