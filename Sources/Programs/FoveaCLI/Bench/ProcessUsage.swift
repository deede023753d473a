// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The resources that this process has used so far.
enum ProcessUsage {
  /// User and system time of all threads.
  static var cpuTime: Duration { ProcessorTime.ofProcess ?? .zero }

  /// The peak memory, in MiB.
  ///
  /// Uses VmHWM instead of `ru_maxrss`, which survives `exec` and may be the parent's.
  static var peakMemory: Double? {
    guard let bytes = try? SmallFile.bytes(of: "/proc/self/status", limit: 1 << 20) else { return nil }
    return peakMemory(inStatus: String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the peak memory in MiB from the text of `/proc/self/status`, which has it in KiB.
  static func peakMemory(inStatus text: String) -> Double? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
    let digits = line.filter { $0.isASCII && $0.isNumber }
    return Double(digits).map { $0 / 1_024 }
  }
}
