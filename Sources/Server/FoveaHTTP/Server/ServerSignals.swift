// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging
import ServiceLifecycle
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
#endif
