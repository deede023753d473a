// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The resources used by this process.
public enum FuzzUsage {
  /// Processor time of all threads in seconds.
  public static func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The peak memory of the process in bytes; 0 if the system does not report it.
  public static func peakBytes() -> Int {
    #if os(Linux)
    // getrusage would count the parent's memory, too: it survives exec.
    let file = unsafe open("/proc/self/status", O_RDONLY)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(file, &bytes, bytes.count)
    let lines = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("VmHWM:") }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) << 10
    #else
    return 0
    #endif
  }
}
