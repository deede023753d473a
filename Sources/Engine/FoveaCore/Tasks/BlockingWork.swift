// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs work that waits for a disk, the network or a child process on its own thread, because the threads
/// that all tasks share must not block.
package enum BlockingWork {
  /// A flag that shows whether the task that waits for the work was cancelled.
  package final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    package var isSet: Bool { flag.load(ordering: .relaxed) }

    fileprivate func set() { flag.store(true, ordering: .relaxed) }
  }

  /// Orders the work's writes before the task's reads.
  ///
  /// A continuation does that, too, but if it is resumed before the task suspends, Swift 6.3's runtime does
  /// not report the order to the thread sanitizer (`swift_continuation_await`), which then reports a race.
  private final class WorkEnd: Sendable {
    private let hasEnded = Atomic<Bool>(false)

    func publish() { hasEnded.store(true, ordering: .releasing) }

    func observe() { _ = hasEnded.load(ordering: .acquiring) }
  }

  /// Runs `body` and waits for it, without blocking a thread.
  /// - Parameter body: The work; long work should end early once the flag is set.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (StopFlag) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let stop = StopFlag()
    let end = WorkEnd()
    let answer: Result<Value, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "fovea.blocking").async {
          let answer = Result { () throws(Failure) in try body(stop) }
          end.publish()
          continuation.resume(returning: answer)
        }
      }
    } onCancel: {
      stop.set()
    }
    end.observe()
    return try answer.get()
  }
}
