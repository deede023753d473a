// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

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
