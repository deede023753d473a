// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Work that waits for the network or reads whole files, on its own thread: the threads that all tasks share must
/// not wait.
enum BlockingWork {
  /// Says whether the task that waits for the work was cancelled.
  final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    fileprivate func set() { flag.store(true, ordering: .relaxed) }
  }

  /// Runs `body` and waits for it, without holding a thread meanwhile.
  /// - Parameter body: The work; where it takes long, it ends early once the flag is set.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable (StopFlag) throws(ModelStoreError) -> Value
  ) async throws(ModelStoreError) -> Value {
    let stop = StopFlag()
    let answer: Result<Value, ModelStoreError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "fovea.download").async {
          continuation.resume(returning: Result { () throws(ModelStoreError) in try body(stop) })
        }
      }
    } onCancel: {
      stop.set()
    }
    return try answer.get()
  }
}
