// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The cores that this process may use.
package enum Cores {
  /// Their number, 1 or more.
  ///
  /// Those of the affinity mask, which `taskset` narrows, or fewer where a container's quota of processor time is less. The
  /// quota is rounded down: a thread that waits for the next period makes the others wait with it.
  package static let available = count(affinity: affinity(), quota: CPUQuota.ofThisProcess())

  /// The cores that run and are in the mask of this thread; all that run on systems that do not say.
  ///
  /// The mask can have cores that the machine may get later, so that it alone is no answer.
  ///
  /// **Source:** proc_pid_status(5), `Cpus_allowed`.
  /// - Parameters:
  ///   - root: Where the system's files are; tests give another folder.
  ///   - running: The cores that run.
  /// - Returns: Their number, 1 or more.
  static func affinity(root: String = "", running: Int = sysconf(Int32(_SC_NPROCESSORS_ONLN))) -> Int {
    let lines = ControlGroups.text(root + "/proc/thread-self/status")?.split(separator: "\n") ?? []
    let mask = lines.first { $0.hasPrefix("Cpus_allowed:") }?.split(separator: "\t").last ?? ""
    let allowed = mask.reduce(0) { count, digit in count + (digit.hexDigitValue?.nonzeroBitCount ?? 0) }
    return allowed > 0 ? min(allowed, running) : running
  }

  /// The rule of ``available``.
  static func count(affinity: Int, quota: Double?) -> Int {
    max(1, min(affinity, quota.map { $0 < Double(affinity) ? Int($0) : affinity } ?? affinity))
  }
}

/// How many threads a session gets.
enum SessionThreads {
  /// Beyond four threads a run of a small model gets no shorter.
  private static let mostUseful = 4

  /// What was asked for; else one thread each with several sessions (throughput), and with one session (latency) as
  /// many as there are cores for this process, at most four.
  static func count(asked: Int?, sessions: Int) -> Int {
    asked ?? (sessions > 1 ? 1 : min(Cores.available, mostUseful))
  }
}
