// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaImage
import Synchronization

/// A buffer for one frame between the producers and the only reader: a newer frame replaces the waiting one.
final class NewestFrame: Sendable {
  private let frames = Mailbox<VideoFrame>(.bufferingNewest(1))
  private let total = Mutex(FrameCounts())

  /// The numbers of frames submitted and dropped so far.
  var counts: FrameCounts { total.withLock { $0 } }

  /// Stores a frame; never waits.
  /// - Returns: Whether the frame was accepted: false after the end.
  @discardableResult
  func put(_ frame: VideoFrame) -> Bool {
    // A dropped frame leaves the lock with the result, because code that runs when it is freed may read the
    // counts.
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

  /// Accepts no more frames; the waiting frame is still delivered.
  func finish() { frames.finish() }

  /// Returns the newest frame, waiting if there is none.
  /// - Returns: The frame; nil after the end.
  func take() async -> VideoFrame? { await frames.take() }
}

/// The frame counts of a live source.
public struct FrameCounts: Sendable, Hashable {
  /// The number of frames submitted.
  public var submitted = 0
  /// The number of frames that a newer one replaced before they were processed.
  public var dropped = 0

  /// Creates counts of zero.
  package init() {}
}
