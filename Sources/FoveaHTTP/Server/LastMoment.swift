// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Dispatch
  internal import FoveaSystem
  internal import Logging
  internal import Synchronization

  /// When the phases of a server's end begin, in seconds after it was asked to end.
  struct DrainTimes: Sendable, Equatable {
    /// The calls under way are cancelled: a moment before the end, so that they can react.
    let cancellation: Double
    /// The process ends, whatever they do.
    let end: Double

    init(delay: Double, drain: Double) {
      end = delay + drain
      cancellation = end - min(1, drain / 4)
    }
  }

  /// Ends the process at the end of the drain where calls do not react to being cancelled.
  ///
  /// It has a thread of its own, as these calls may hold all others.
  final class LastMoment: Sendable {
    private let isArmed = Mutex(false)
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func arm(after seconds: Double) {
      isArmed.withLock { $0 = true }
      DispatchQueue(label: "fovea.last-moment").asyncAfter(deadline: .now() + seconds) { [self] in
        // Locked until the end: a server that has ended by itself meanwhile is not ended here.
        isArmed.withLock { isArmed in
          guard isArmed else { return }
          logger.warning("ended with calls that did not react")
          // Not `exit`, which would take away what these calls still use.
          _exit(EXIT_SUCCESS)
        }
      }
    }

    /// The server has ended by itself.
    func disarm() { isArmed.withLock { $0 = false } }
  }
#endif
