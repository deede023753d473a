// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The memory that this process may use.
package enum AvailableMemory {
  /// The machine's, or that of the control group where it is less, in bytes.
  ///
  /// **Source:** Linux, Documentation/admin-guide/cgroup-v2.rst, `memory.max`; cgroup-v1/memory.rst,
  /// `memory.limit_in_bytes`.
  package static let bytes = min(physical, limit() ?? .max)

  /// The machine's, in bytes.
  private static var physical: Int {
    let (bytes, isTooLarge) = sysconf(Int32(_SC_PHYS_PAGES))
      .multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
    return isTooLarge || bytes <= 0 ? .max : bytes
  }

  /// What a control group leaves this process.
  /// - Parameter root: Where the system's files are; tests give another folder.
  /// - Returns: Bytes; nil where nothing limits it.
  static func limit(root: String = "") -> Int? {
    ControlGroups("memory", root: root).groups
      .compactMap { $0.number($0.isVersion2 ? "memory.max" : "memory.limit_in_bytes") }
      .filter { $0 > 0 }
      .min()
  }

  /// What the process holds that no file backs, in bytes; nil on systems that do not say.
  ///
  /// **Source:** proc_pid_statm(5): pages, of which the second number is resident and the third shared.
  package static var held: Int? {
    let numbers = ControlGroups.text("/proc/self/statm")?.split(whereSeparator: \.isWhitespace) ?? []
    guard numbers.count > 2, let resident = Int(numbers[1]), let shared = Int(numbers[2]) else { return nil }
    return (resident - shared) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
