// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Work that waits for the network or reads whole files, on its own thread: the threads that all tasks share must
/// not wait.
package enum BlockingWork {
  /// Says whether the task that waits for the work was cancelled.
  package final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    package var isSet: Bool { flag.load(ordering: .relaxed) }

    fileprivate func set() { flag.store(true, ordering: .relaxed) }
  }

  /// Runs `body` and waits for it, without holding a thread meanwhile.
  /// - Parameter body: The work; where it takes long, it ends early once the flag is set.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (StopFlag) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let stop = StopFlag()
    let answer: Result<Value, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "fovea.download").async {
          continuation.resume(returning: Result { () throws(Failure) in try body(stop) })
        }
      }
    } onCancel: {
      stop.set()
    }
    return try answer.get()
  }
}
