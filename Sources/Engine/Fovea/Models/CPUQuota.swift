// SPDX-License-Identifier: Apache-2.0

/// How much processor time a control group gives this process.
///
/// **Source:** Linux, Documentation/admin-guide/cgroup-v2.rst, `cpu.max`; Documentation/scheduler/sched-bwc.rst,
/// `cpu.cfs_quota_us`.
enum CPUQuota {
  /// In cores; nil where nothing limits it, and on systems without control groups.
  /// - Parameter root: Where the system's files are; tests give another folder.
  /// - Returns: A positive number; 1.5 is a core and a half.
  static func ofThisProcess(root: String = "") -> Double? {
    ControlGroups("cpu", root: root).groups
      .compactMap { $0.isVersion2 ? version2($0) : version1($0) }
      .min()
  }

  /// `QUOTA PERIOD` in microseconds, or `max PERIOD`.
  private static func version2(_ group: ControlGroups.Group) -> Double? {
    let numbers = group.text("cpu.max")?.split(whereSeparator: \.isWhitespace) ?? []
    guard numbers.count == 2 else { return nil }
    return cores(quota: Int(numbers[0]), period: Int(numbers[1]))
  }

  /// A file for each; a quota of -1 is none.
  private static func version1(_ group: ControlGroups.Group) -> Double? {
    cores(quota: group.number("cpu.cfs_quota_us"), period: group.number("cpu.cfs_period_us"))
  }

  private static func cores(quota: Int?, period: Int?) -> Double? {
    guard let quota, let period, quota > 0, period > 0 else { return nil }
    return Double(quota) / Double(period)
  }
}
