// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The cores that this process may use.
package enum Cores {
  /// Their number, 1 or more.
  ///
  /// Those of the affinity mask, which `taskset` narrows, or fewer where a container's quota of processor time is less. The
  /// quota is rounded down: a thread that waits for the next period makes the others wait with it.
  package static let available = count(
    affinity: ProcessInfo.processInfo.activeProcessorCount, quota: CPUQuota.ofThisProcess())

  /// The rule of ``available``.
  static func count(affinity: Int, quota: Double?) -> Int {
    max(1, min(affinity, quota.map { $0 < Double(affinity) ? Int($0) : affinity } ?? affinity))
  }
}
