// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Dispatch
  internal import FoveaErrors

  /// Work that waits for a disk or a child process, on its own thread: the threads that all requests share must not wait.
  package enum HostWork {
    /// What may run at the same time.
    package enum Lane: Sendable {
      case any
      /// Models are run one after the other: each may take much memory, and those that wait hold no thread.
      case models
    }

    private static let models = DispatchQueue(label: "fovea.host.models")

    /// Runs `body` and waits for it, without holding a thread meanwhile.
    package static func run<Value: Sendable>(
      _ lane: Lane = .any, _ body: @escaping @Sendable () throws(HostError) -> Value
    ) async throws(HostError) -> Value {
      let answer: Result<Value, HostError> = await withCheckedContinuation { continuation in
        let queue = lane == .models ? models : DispatchQueue(label: "fovea.host")
        queue.async {
          continuation.resume(returning: Result { () throws(HostError) in try body() })
        }
      }
      return try answer.get()
    }
  }
#endif
