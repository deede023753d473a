// SPDX-License-Identifier: Apache-2.0

/// The processor time that a control group allows this process.
///
/// **Source:** Linux, Documentation/admin-guide/cgroup-v2.rst, `cpu.max`;
/// Documentation/scheduler/sched-bwc.rst, `cpu.cfs_quota_us`.
enum CPUQuota {
  /// Returns the quota in cores; nil if there is none, or on systems without control groups.
  /// - Parameter root: The root of the system's files; tests set another folder.
  /// - Returns: A positive number; 1.5 is one and a half cores.
  static func ofThisProcess(root: String = "") -> Double? {
    ControlGroups("cpu", root: root).groups
      .compactMap { $0.isVersion2 ? version2($0) : version1($0) }
      .min()
  }

  /// Reads `QUOTA PERIOD` in microseconds, or `max PERIOD`.
  private static func version2(_ group: ControlGroups.Group) -> Double? {
    let numbers = group.text("cpu.max")?.split(whereSeparator: \.isWhitespace) ?? []
    guard numbers.count == 2 else { return nil }
    return cores(quota: Int(numbers[0]), period: Int(numbers[1]))
  }

  /// Reads a file for each number; a quota of -1 means no limit.
  private static func version1(_ group: ControlGroups.Group) -> Double? {
    cores(quota: group.number("cpu.cfs_quota_us"), period: group.number("cpu.cfs_period_us"))
  }

  private static func cores(quota: Int?, period: Int?) -> Double? {
    guard let quota, let period, quota > 0, period > 0 else { return nil }
    return Double(quota) / Double(period)
  }
}
