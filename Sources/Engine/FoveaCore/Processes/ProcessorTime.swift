// SPDX-License-Identifier: Apache-2.0

/// The processor time that has been used so far.
package enum ProcessorTime {
  /// User and system time of all threads of this process; nil if the system does not count it.
  package static var ofProcess: Duration? {
    var time = timespec()
    // SAFETY: the pointer is valid for the call.
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
