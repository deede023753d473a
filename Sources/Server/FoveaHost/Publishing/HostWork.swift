// SPDX-License-Identifier: Apache-2.0
#if Server
import Dispatch
import FoveaCore
import Synchronization

/// Work that waits for a disk or a child process, on its own thread: the threads that all requests share must not wait.
package enum HostWork {
  /// Runs `body` and waits for it, without holding a thread meanwhile.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let answer: Result<Value, HostError> = await withCheckedContinuation { continuation in
      DispatchQueue(label: "fovea.host").async {
        continuation.resume(returning: Result { () throws(HostError) in try body() })
      }
    }
    return try answer.get()
  }

  /// Runs `body`, which asks now and then whether no one waits for it any more, and ends soon where that is so.
  package static func untilCancelled<Value: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: @Sendable () -> Bool) throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let flag = CancellationFlag()
    let answer: Result<Value, HostError> = await withTaskCancellationHandler {
      do throws(HostError) {
        return .success(try await run { () throws(HostError) in try body { flag.isSet } })
      } catch {
        return .failure(error)
      }
    } onCancel: {
      flag.set()
    }
    return try answer.get()
  }
}

/// Whether the task is cancelled that a thread of its own works for.
private final class CancellationFlag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .acquiring) }

  func set() { state.store(true, ordering: .releasing) }
}
#endif
