// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaCore

/// Delays frames until their time.
final class FramePacer: @unchecked Sendable {
  // SAFETY: used only by the thread that reads frames, except `stop`, which only signals.

  private let pacing: FramePacing
  private let stopped = DispatchSemaphore(value: 0)
  private var start: ContinuousClock.Instant?

  init(_ pacing: FramePacing) { self.pacing = pacing }

  /// Waits until a frame is due, or `stop` is called.
  /// - Parameter seconds: The presentation time, counted from the first frame.
  func wait(for seconds: Double) {
    guard pacing == .realTime else { return }
    let now = ContinuousClock.now
    // The first frame is due at once, regardless of its time.
    let start = start ?? now - .seconds(seconds)
    self.start = start
    let rest = now.duration(to: start + .seconds(seconds))
    guard rest > .zero else { return }
    _ = stopped.wait(timeout: .now() + rest.seconds)
  }

  /// Stops waiting.
  func stop() { stopped.signal() }
}
