// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaVideo

/// The ends of successive connections to a broker: the time of the next attempt, and the ends to log.
struct MQTTAttempts {
  /// Connections that end sooner after their login have failed.
  private static let quick = Duration.seconds(10)

  private var backoff = Backoff(first: .milliseconds(500), limit: .seconds(30), attempts: .max)
  /// The ends in the log since the last success.
  private var logged: [MQTTEnd] = []
  /// The number of quick ends in succession.
  private var quickEnds = 0

  /// Records an end.
  /// - Parameters:
  ///   - end: Its reason.
  ///   - lasted: The time since the login; nil if there was none.
  /// - Returns: The time before the next attempt, without jitter, and whether the end is new to the log and
  ///   may be due to another client with the same id.
  mutating func ended(
    _ end: MQTTEnd, after lasted: Duration?
  ) -> (delay: Duration, isNew: Bool, isDisputed: Bool) {
    if let lasted, lasted >= Self.quick {
      backoff.reset()
      (logged, quickEnds) = ([], 0)
    } else if lasted != nil {
      quickEnds += 1
    }
    let isNew = !logged.contains(end) && logged.count < 20
    if isNew { logged.append(end) }
    return (backoff.next() ?? .seconds(30), isNew, quickEnds == 5)
  }
}
#endif
