// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP

/// The deadline of a call whose images are asked about one after another.
struct CallDeadline: Sendable {
  /// The time of the whole call.
  let limit: Duration
  private let end: ContinuousClock.Instant

  init(_ limit: Duration, from start: ContinuousClock.Instant = .now) {
    self.limit = limit
    end = start + limit
  }

  /// The time that is left.
  /// - Throws: A refusal if none is.
  func left(at now: ContinuousClock.Instant = .now) throws(Refusal) -> Duration {
    guard now < end else { throw Scheduler.late(limit) }
    return now.duration(to: end)
  }
}
#endif
