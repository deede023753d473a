// SPDX-License-Identifier: Apache-2.0

internal import FoveaSystem

/// How much processor time a control group gives this process.
///
/// **Source:** Linux, Documentation/admin-guide/cgroup-v2.rst, `cpu.max`; Documentation/scheduler/sched-bwc.rst,
/// `cpu.cfs_quota_us`.
enum CPUQuota {
  /// In cores; nil where nothing limits it, and on systems without control groups.
  /// - Parameter root: Where the system's files are; tests give another folder.
  /// - Returns: A positive number; 1.5 is a core and a half.
  static func ofThisProcess(root: String = "") -> Double? {
    guard let memberships = text(root + "/proc/self/cgroup") else { return nil }
    var least: Double?
    for line in memberships.split(separator: "\n") {
      // NUMBER:CONTROLLERS:PATH, without controllers in version 2.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[2].hasPrefix("/") else { continue }
      let isVersion2 = fields[0] == "0" && fields[1].isEmpty
      guard isVersion2 || fields[1].split(separator: ",").contains("cpu") else { continue }
      let mount = root + "/sys/fs/cgroup" + (isVersion2 ? "" : "/\(fields[1])")
      // A group has no more than each group around it; inside a container, the path may begin outside of it.
      for group in groups(String(fields[2])) {
        guard let quota = isVersion2 ? version2(mount + group) : version1(mount + group) else { continue }
        least = min(least ?? quota, quota)
      }
    }
    return least
  }

  /// A group, those around it, and the root, as paths that end without a slash.
  private static func groups(_ path: String) -> [String] {
    var names = path.split(separator: "/")[...]
    var groups: [String] = []
    while true {
      groups.append(names.map { "/" + $0 }.joined())
      guard names.popLast() != nil else { return groups }
    }
  }

  /// `QUOTA PERIOD` in microseconds, or `max PERIOD`.
  private static func version2(_ folder: String) -> Double? {
    let numbers = text(folder + "/cpu.max")?.split(whereSeparator: \.isWhitespace) ?? []
    guard numbers.count == 2 else { return nil }
    return cores(quota: Int(numbers[0]), period: Int(numbers[1]))
  }

  /// A file for each; a quota of -1 is none.
  private static func version1(_ folder: String) -> Double? {
    cores(quota: number(folder + "/cpu.cfs_quota_us"), period: number(folder + "/cpu.cfs_period_us"))
  }

  private static func cores(quota: Int?, period: Int?) -> Double? {
    guard let quota, let period, quota > 0, period > 0 else { return nil }
    return Double(quota) / Double(period)
  }

  private static func number(_ path: String) -> Int? {
    text(path).flatMap { Int($0.filter { !$0.isWhitespace }) }
  }

  /// What a file of the system says; nil where there is none, as where there are no control groups.
  private static func text(_ path: String) -> String? {
    guard let bytes = try? SmallFile.bytes(of: path, limit: 64 << 10) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
