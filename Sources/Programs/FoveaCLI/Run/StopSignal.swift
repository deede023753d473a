// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// The user's request to stop the run: Ctrl-C, SIGTERM, or (in tests) a call.
final class StopSignal: Sendable {
  private let requested = Atomic<Bool>(false)
  private let listensToProcess: Bool

  init(listensToProcess: Bool = false) { self.listensToProcess = listensToProcess }

  var isRequested: Bool {
    requested.load(ordering: .relaxed)
      || (listensToProcess && ProcessSignals.received.code != nil)
  }

  func request() { requested.store(true, ordering: .relaxed) }

  /// Throws if the run is asked to stop.
  /// - Throws: `cancelled`.
  func check() throws(FoveaError) {
    if isRequested { throw FoveaError(CancellationError()) }
  }
}

/// Signal handling for commands that write files.
enum ProcessSignals {
  /// The received signals that ask the process to end.
  ///
  /// Global because a signal handler cannot reach anything else; accessed before the handler is installed, so
  /// that the handler never initialises it.
  fileprivate static let received = ReceivedSignals()

  /// Turns the first Ctrl-C or SIGTERM into a request and the second into exit 130; closed pipes and exceeded
  /// file size limits become errors.
  static func install() {
    _ = received.code
    // Blocking calls continue: the run loop checks for signals between two images.
    Signals.handle([SIGINT, SIGTERM]) { number in
      if ProcessSignals.received.receive(number) != nil { _exit(130) }
    }
    ignorePipes()
  }

  /// Makes writing to a closed pipe or beyond the file size limit an error instead of ending the process.
  static func ignorePipes() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}

extension StopSignal {
  /// Runs `body` and cancels it on Ctrl-C.
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
