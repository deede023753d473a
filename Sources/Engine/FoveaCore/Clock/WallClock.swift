// SPDX-License-Identifier: Apache-2.0

/// The machine's date and time, which may be set back; never for measuring durations.
package enum WallClock {
  /// Milliseconds since 1970, UTC.
  package static var milliseconds: Int64 {
    let time = now
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Seconds since 1970, UTC.
  package static var seconds: Double {
    let time = now
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var now: timespec {
    var time = timespec()
    // SAFETY: the clock is one that every system has, and the pointer is valid for the call.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return time
  }
}
