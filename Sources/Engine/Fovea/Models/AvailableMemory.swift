// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The memory that this process may use.
package enum AvailableMemory {
  /// The machine's memory in bytes, or the control group's limit if it is lower.
  ///
  /// **Source:** Linux, Documentation/admin-guide/cgroup-v2.rst, `memory.max`; cgroup-v1/memory.rst,
  /// `memory.limit_in_bytes`.
  package static let bytes = min(physical, limit() ?? .max)

  /// The machine's memory in bytes.
  private static var physical: Int {
    let (bytes, isTooLarge) = sysconf(Int32(_SC_PHYS_PAGES))
      .multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
    return isTooLarge || bytes <= 0 ? .max : bytes
  }

  /// Returns the memory limit of the control group.
  /// - Parameter root: The root of the system's files; tests set another folder.
  /// - Returns: Bytes; nil if there is no limit.
  static func limit(root: String = "") -> Int? {
    ControlGroups("memory", root: root).groups
      .compactMap { $0.number($0.isVersion2 ? "memory.max" : "memory.limit_in_bytes") }
      .filter { $0 > 0 }
      .min()
  }

  /// The process's memory that is not backed by files, in bytes; nil on systems that do not report it.
  ///
  /// **Source:** proc_pid_statm(5): pages, of which the second number is resident and the third shared.
  package static var held: Int? {
    let numbers = ControlGroups.text("/proc/self/statm")?.split(whereSeparator: \.isWhitespace) ?? []
    guard numbers.count > 2, let resident = Int(numbers[1]), let shared = Int(numbers[2]) else { return nil }
    return (resident - shared) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
