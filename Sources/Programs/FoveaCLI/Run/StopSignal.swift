// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// Whether the user asked the run to end: by Ctrl-C, by SIGTERM, or (in tests) by a call.
final class StopSignal: Sendable {
  private let requested = Atomic<Bool>(false)
  private let listensToProcess: Bool

  init(listensToProcess: Bool = false) { self.listensToProcess = listensToProcess }

  var isRequested: Bool {
    requested.load(ordering: .relaxed)
      || (listensToProcess && ProcessSignals.received.code != nil)
  }

  func request() { requested.store(true, ordering: .relaxed) }
}

/// The process's signals, as a command line that writes files needs them.
enum ProcessSignals {
  /// The signals that ask the process to end.
  ///
  /// Global because a signal handler has no other way to reach anything; touched before the handler is installed, so
  /// that the handler never initialises it.
  fileprivate static let received = ReceivedSignals()

  /// Turns Ctrl-C and SIGTERM into a request, the second one into the end; closed pipes and full quotas into errors.
  static func install() {
    _ = received.code
    // Calls that wait go on: the run loop looks at what came between two images.
    Signals.handle([SIGINT, SIGTERM]) { number in
      if ProcessSignals.received.receive(number) != nil { _exit(130) }
    }
    ignorePipes()
  }

  /// Makes writing to a closed pipe or over the file size limit an error instead of the end of the process.
  static func ignorePipes() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}

extension StopSignal {
  /// Runs `body`, which Ctrl-C cancels.
  func cancelling<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let work = Task { () -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    let watch = Task { [self] in
      while !Task.isCancelled {
        if isRequested { return work.cancel() }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    defer { watch.cancel() }
    return try await work.value.get()
  }
}
