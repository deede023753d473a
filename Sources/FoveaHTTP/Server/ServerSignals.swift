// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem
  internal import Logging
  internal import ServiceLifecycle
  internal import UnixSignals

  /// What signals do: the first SIGTERM or SIGINT drains the server, the second ends the process, SIGHUP reads files again.
  struct ServerSignals: Sendable {
    /// Set up where it is made, so that no signal is missed that comes before ``handle(in:)``.
    private let signals: UnixSignalsSequence
    private let reloading: @Sendable () async -> Void
    private let logger: Logger

    init(reloading: @escaping @Sendable () async -> Void, logger: Logger) async {
      signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint, .sighup])
      self.reloading = reloading
      self.logger = logger
    }

    /// Goes on until the task is cancelled.
    func handle(in group: ServiceGroup) async {
      var ending = EndingSignals()
      for await signal in signals {
        if signal == .sighup {
          await reloading()
          continue
        }
        switch ending.meaning(at: .now) {
        case .drain: await group.triggerGracefulShutdown()
        case .repeated: break
        case .end:
          logger.warning("ended at once by a second signal")
          // As a shell reports a process that the signal has ended.
          _exit(128 + (signal == .sigint ? SIGINT : SIGTERM))
        }
      }
    }
  }
#endif
