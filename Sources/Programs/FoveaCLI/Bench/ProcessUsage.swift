// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// What this process has used so far.
enum ProcessUsage {
  /// User and system time of all threads.
  static var cpuTime: Duration {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The most memory held at any time, in MiB.
  ///
  /// VmHWM and not `ru_maxrss`: the latter survives `exec` and may be the parent's.
  static var peakMemory: Double? {
    guard let bytes = try? SmallFile.bytes(of: "/proc/self/status", limit: 1 << 20) else { return nil }
    return peakMemory(inStatus: String(decoding: bytes, as: UTF8.self))
  }

  /// The figure in the text of `/proc/self/status`, which is in KiB.
  static func peakMemory(inStatus text: String) -> Double? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
    let digits = line.filter { $0.isASCII && $0.isNumber }
    return Double(digits).map { $0 / 1_024 }
  }
}
