// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The signal handling: the first SIGTERM or SIGINT drains the server, the second ends the process, SIGHUP
/// reloads files.
struct ServerSignals: Sendable {
  /// The executor for signal handling: all shared task threads may be blocked, for example by a hanging disk.
  private static let queue = QueueTaskExecutor(label: "fovea.signals")

  /// Created early, so that signals before ``handling(in:)`` are not missed.
  private let signals: UnixSignalsSequence
  private let leaving: @Sendable () -> Void
  private let reloading: @Sendable () async -> Void
  private let logger: Logger

  /// Sets up the signals.
  /// - Parameters:
  ///   - leaving: Called as soon as the server is asked to shut down, without waiting for a task.
  ///   - reloading: Called at each SIGHUP, one call after the other.
  ///   - logger: Logs a second signal.
  init(
    leaving: @escaping @Sendable () -> Void, reloading: @escaping @Sendable () async -> Void, logger: Logger
  ) async {
    signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint, .sighup])
    self.leaving = leaving
    self.reloading = reloading
    self.logger = logger
  }

  /// Starts handling signals.
  /// - Returns: The task that handles them, until it is cancelled.
  func handling(in group: ServiceGroup) -> Task<Void, Never> {
    Task(executorPreference: ServerSignals.queue) { await handle(in: group) }
  }

  private func handle(in group: ServiceGroup) async {
    // The files may be on a hanging disk; other signals do not wait for it.
    let (reloads, report) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reading = Task { [reloading] in
      for await _ in reloads { await reloading() }
    }
    defer { reading.cancel() }
    if StartSignals.isReloadRequested { report.yield() }
    var ending = EndingSignals()
    for await signal in signals {
      if signal == .sighup {
        report.yield()
        continue
      }
      switch ending.meaning(at: .now) {
      case .drain:
        leaving()
        Task { await group.triggerGracefulShutdown() }
      case .repeated: break
      case .end:
        // The exit code a shell reports for a process ended by the signal.
        let code = 128 + (signal == .sigint ? SIGINT : SIGTERM)
        LastMoment.end(code, "ended at once by a second signal", logger)
      }
    }
  }
}

/// Handles signals that arrive before a server handles them: SIGTERM and SIGINT end the process, SIGHUP is
/// kept for later.
///
/// A server that does not listen yet has no running requests, and its writes at startup are consistent at any
/// moment.
package enum StartSignals {
  /// Global because a signal handler can reach nothing else.
  private static let hasHangUp = Atomic(false)

  /// Ends the process with exit code 0 at a signal, until ``ServerSignals`` handle them.
  package static func install() {
    // Initializes the global here, not in the handler.
    _ = hasHangUp.load(ordering: .relaxed)
    Signals.handle(Signals.requests) { number in
      guard number == SIGHUP else { _exit(EXIT_SUCCESS) }
      StartSignals.hasHangUp.store(true, ordering: .relaxed)
    }
  }

  /// Whether a SIGHUP has arrived; files may have been read before it and must be read again.
  static var isReloadRequested: Bool { hasHangUp.load(ordering: .relaxed) }
}

/// The meaning of SIGTERM or SIGINT for a server, depending on the time of the first signal.
struct EndingSignals: Sendable {
  /// The meaning of a signal.
  enum Meaning: Equatable {
    /// Shut down once the running requests are answered.
    case drain
    /// A repetition of the first signal.
    case repeated
    /// End at once.
    case end
  }

  /// The time after the first signal within which another one is treated as its echo.
  private static let echo = Duration.milliseconds(SignalEcho.milliseconds)

  private var first: ContinuousClock.Instant?

  /// Returns the meaning of a signal that arrives now.
  mutating func meaning(at now: ContinuousClock.Instant) -> Meaning {
    guard let first else {
      first = now
      return .drain
    }
    return now - first < EndingSignals.echo ? .repeated : .end
  }
}
#endif
