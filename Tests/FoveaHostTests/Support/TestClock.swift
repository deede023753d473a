// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import Synchronization

/// A clock that only advances when a test moves it.
final class TestClock: Sendable {
  private let time: Mutex<Timestamp>

  init(milliseconds: Int64 = 1_800_000_000_000) { time = Mutex(Timestamp(milliseconds: milliseconds)) }

  /// The clock in the form that a host needs.
  var now: Now { { self.time.withLock { $0 } } }

  func advance(seconds: Double) { time.withLock { $0 = $0.advanced(seconds: seconds) } }
}
#endif
