// SPDX-License-Identifier: Apache-2.0
#if Server
import Dispatch
import FoveaCore
import Logging
import Synchronization

/// The phases of a server's shutdown, in seconds after it was requested.
struct DrainTimes: Sendable, Equatable {
  /// The time to cancel running calls: a moment before the end, so that they can react.
  let cancellation: Double
  /// The time by which calls that still run should answer, because cancelled ones cannot.
  let answer: Double
  /// The time to end the process, even if they are still running.
  let end: Double

  init(delay: Double, drain: Double) {
    end = delay + drain
    cancellation = end - min(1, drain / 4)
    answer = end - 2 * min(1, drain / 4)
  }
}

/// Terminates the process at the end of the drain if calls do not react to cancellation.
///
/// It has its own thread from the start: these calls may block all threads for tasks, and a new thread may
/// not be available by then.
final class LastMoment: Sendable {
  private enum State {
    case waiting
    case armed(seconds: Double)
    case over
  }

  private let state = Mutex(State.waiting)
  /// Signalled at each change of the state.
  private let changes = DispatchSemaphore(value: 0)
  private let logger: Logger

  init(logger: Logger) {
    self.logger = logger
    DispatchQueue(label: "fovea.last-moment").async { [self] in watch() }
  }

  /// Starts the timer at the first call.
  func arm(after seconds: Double) {
    let isFirst = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .armed(seconds: seconds)
      return true
    }
    if isFirst { changes.signal() }
  }

  /// Records that the server has stopped by itself.
  func disarm() {
    state.withLock { $0 = .over }
    changes.signal()
  }

  private func watch() {
    changes.wait()
    guard case .armed(let seconds) = state.withLock({ $0 }),
      changes.wait(timeout: .now() + seconds) == .timedOut
    else { return }
    // Locked until the end, so that a server that stops by itself in the meantime is not ended here.
    state.withLock { state in
      guard case .armed = state else { return }
      LastMoment.end(EXIT_SUCCESS, "ended with calls that did not react", logger)
    }
  }

  /// Terminates the process now, with a line in the log unless the log is blocked too.
  static func end(_ code: Int32, _ line: String, _ logger: Logger) -> Never {
    let isWritten = DispatchSemaphore(value: 0)
    DispatchQueue(label: "fovea.last-words").async {
      logger.warning("\(line)")
      isWritten.signal()
    }
    _ = isWritten.wait(timeout: .now() + 0.5)
    // Not `exit`, which would free resources that these calls still use.
    _exit(code)
  }
}
#endif
