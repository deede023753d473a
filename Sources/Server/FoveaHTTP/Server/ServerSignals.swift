// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// What signals do: the first SIGTERM or SIGINT drains the server, the second ends the process, SIGHUP reads files again.
struct ServerSignals: Sendable {
  /// Runs what hears signals: the threads that tasks share may all be held, as by a disk that hangs.
  private static let queue = QueueTaskExecutor(label: "fovea.signals")

  /// Set up where it is made, so that no signal is missed that comes before ``handling(in:)``.
  private let signals: UnixSignalsSequence
  private let leaving: @Sendable () -> Void
  private let reloading: @Sendable () async -> Void
  private let logger: Logger

  /// Sets signals up.
  /// - Parameters:
  ///   - leaving: Called as soon as the server is asked to end; waits for no task.
  ///   - reloading: Called at each SIGHUP, one after the other.
  ///   - logger: Hears of a second signal.
  init(
    leaving: @escaping @Sendable () -> Void, reloading: @escaping @Sendable () async -> Void, logger: Logger
  ) async {
    signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint, .sighup])
    self.leaving = leaving
    self.reloading = reloading
    self.logger = logger
  }

  /// Begins to hear signals.
  /// - Returns: The task that does, until it is cancelled.
  func handling(in group: ServiceGroup) -> Task<Void, Never> {
    Task(executorPreference: ServerSignals.queue) { await handle(in: group) }
  }

  private func handle(in group: ServiceGroup) async {
    // What is read may be on a disk that hangs; other signals do not wait for it.
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
        // As a shell reports a process that the signal has ended.
        let code = 128 + (signal == .sigint ? SIGINT : SIGTERM)
        LastMoment.end(code, "ended at once by a second signal", logger)
      }
    }
  }
}

/// Signals that come before a server hears them: SIGTERM and SIGINT end it, SIGHUP is kept for later.
///
/// A server that does not listen yet has no requests under way, and what it writes at its start is whole at any moment.
package enum StartSignals {
  /// Global because a signal handler reaches nothing else.
  private static let hasHangUp = Atomic(false)

  /// Ends the process with exit code 0 at a signal from now on, until ``ServerSignals`` hear them.
  package static func install() {
    // The handler must not be what makes it.
    _ = hasHangUp.load(ordering: .relaxed)
    Signals.handle(Signals.requests) { number in
      guard number == SIGHUP else { _exit(EXIT_SUCCESS) }
      StartSignals.hasHangUp.store(true, ordering: .relaxed)
    }
  }

  /// Whether a SIGHUP has come, which files may not have been read after.
  static var isReloadRequested: Bool { hasHangUp.load(ordering: .relaxed) }
}

/// What SIGTERM or SIGINT means to a server, by when the first of them came.
struct EndingSignals: Sendable {
  /// What a signal asks for.
  enum Meaning: Equatable {
    /// End when the requests under way are answered.
    case drain
    /// The same once more.
    case repeated
    /// End at once.
    case end
  }

  /// How long after the first a signal is the same one.
  private static let echo = Duration.milliseconds(SignalEcho.milliseconds)

  private var first: ContinuousClock.Instant?

  /// What a signal that comes now means.
  mutating func meaning(at now: ContinuousClock.Instant) -> Meaning {
    guard let first else {
      first = now
      return .drain
    }
    return now - first < EndingSignals.echo ? .repeated : .end
  }
}
#endif
