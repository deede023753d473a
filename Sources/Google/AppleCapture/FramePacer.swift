// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaCore

/// Holds frames back until their time.
final class FramePacer: @unchecked Sendable {
  // SAFETY: used by the thread that reads frames; `stop`, which only signals, by any.

  private let pacing: FramePacing
  private let stopped = DispatchSemaphore(value: 0)
  private var start: ContinuousClock.Instant?

  init(_ pacing: FramePacing) { self.pacing = pacing }

  /// Waits until a frame is due, or `stop` is called.
  /// - Parameter seconds: When it is shown, from the first frame on.
  func wait(for seconds: Double) {
    guard pacing == .realTime else { return }
    let now = ContinuousClock.now
    // The first frame is due at once, wherever its source begins to count.
    let start = start ?? now - .seconds(seconds)
    self.start = start
    let rest = now.duration(to: start + .seconds(seconds))
    guard rest > .zero else { return }
    _ = stopped.wait(timeout: .now() + rest.seconds)
  }

  /// Ends waiting.
  func stop() { stopped.signal() }
}
