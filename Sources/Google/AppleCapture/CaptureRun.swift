// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaImage
import Synchronization

/// One run of a session: reads a source on its own thread and delivers each frame.
final class CaptureRun: @unchecked Sendable {
  // SAFETY: `thread` is accessed under `isStopped`'s lock; `pacer` is thread-safe, and all else is constant.

  private let reader: any FrameReader
  private let pacer: FramePacer
  private let isStopped = Mutex(false)
  private let ended = DispatchSemaphore(value: 0)
  private var thread: Thread?

  init(_ reader: any FrameReader, _ pacing: FramePacing) {
    self.reader = reader
    pacer = FramePacer(pacing)
  }

  /// Starts reading.
  /// - Parameters:
  ///   - outputs: Returns the current outputs.
  ///   - onEnd: Called once on the thread, after every frame was processed, or with the error that ended the
  ///     run; not after `stop`.
  func begin(
    outputs: @escaping @Sendable () -> [FrameDelivery],
    onEnd: @escaping @Sendable (CaptureRun, FoveaError?) -> Void
  ) {
    let thread = Thread { [self] in
      let error = readAll(outputs)
      if !isStopped.withLock({ $0 }) {
        for output in outputs() { output.waitUntilIdle() }
        onEnd(self, error)
      }
      ended.signal()
    }
    isStopped.withLock { isStopped in
      guard !isStopped else { return }
      self.thread = thread
      thread.start()
    }
  }

  /// Stops reading, even before it started.
  func stop() {
    isStopped.withLock { $0 = true }
    reader.cancel()
    pacer.stop()
  }

  /// Waits until reading has stopped, unless this is the reading thread; call it after the outputs were
  /// closed.
  func join() {
    guard let thread = isStopped.withLock({ _ in thread }), Thread.current !== thread else { return }
    ended.wait()
    ended.signal()
  }

  private func readAll(_ outputs: () -> [FrameDelivery]) -> FoveaError? {
    do {
      while let frame = try reader.next() {
        pacer.wait(for: frame.seconds)
        if isStopped.withLock({ $0 }) { return nil }
        for output in outputs() { try output.give(frame) }
      }
      return nil
    } catch {
      return FoveaError(error)
    }
  }
}
