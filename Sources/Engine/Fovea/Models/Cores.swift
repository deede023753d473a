// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The cores that this process may use.
package enum Cores {
  /// The number of cores, 1 or more.
  ///
  /// The online cores in the affinity mask, which `taskset` narrows, or fewer if a container's quota of
  /// processor time is lower. The quota is rounded down, because a thread that waits for the next period
  /// makes the others wait too.
  package static let available = count(affinity: affinity(), quota: CPUQuota.ofThisProcess())

  /// Returns the number of online cores in the mask of this thread; all online cores on systems without a
  /// mask.
  ///
  /// The mask can include cores that the machine may get later, so the mask alone is not enough.
  ///
  /// **Source:** proc_pid_status(5), `Cpus_allowed`.
  /// - Parameters:
  ///   - root: The root of the system's files; tests set another folder.
  ///   - running: The number of online cores.
  /// - Returns: A number of cores, 1 or more.
  static func affinity(root: String = "", running: Int = sysconf(Int32(_SC_NPROCESSORS_ONLN))) -> Int {
    let lines = ControlGroups.text(root + "/proc/thread-self/status")?.split(separator: "\n") ?? []
    let mask = lines.first { $0.hasPrefix("Cpus_allowed:") }?.split(separator: "\t").last ?? ""
    let allowed = mask.reduce(0) { count, digit in count + (digit.hexDigitValue?.nonzeroBitCount ?? 0) }
    return allowed > 0 ? min(allowed, running) : running
  }

  /// Returns the lower of the two limits; see ``available``.
  static func count(affinity: Int, quota: Double?) -> Int {
    max(1, min(affinity, quota.map { $0 < Double(affinity) ? Int($0) : affinity } ?? affinity))
  }
}

/// The number of threads of a session.
enum SessionThreads {
  /// More than four threads do not make a small model faster.
  private static let mostUseful = 4

  /// Returns the requested number of threads; by default one per session if there are several (throughput),
  /// or one per core, at most four, for a single session (latency).
  static func count(asked: Int?, sessions: Int) -> Int {
    asked ?? (sessions > 1 ? 1 : min(Cores.available, mostUseful))
  }
}
