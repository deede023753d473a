// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How many threads a session gets.
enum SessionThreads {
  /// Beyond four threads a run of a small model gets no shorter.
  private static let mostUseful = 4

  /// What was asked for; else one thread each with several sessions (throughput), and with one session (latency) as
  /// many as there are cores, at most four.
  static func count(asked: Int?, sessions: Int) -> Int {
    asked ?? (sessions > 1 ? 1 : min(availableCores(), mostUseful))
  }

  /// The cores that this process may use.
  static func availableCores() -> Int {
    #if os(Linux)
      var set = cpu_set_t()
      if unsafe sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 {
        let count = unsafe withUnsafeBytes(of: set) { bytes in
          bytes.reduce(0) { $0 + $1.nonzeroBitCount }
        }
        if count > 0 { return count }
      }
    #endif
    return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }
}
