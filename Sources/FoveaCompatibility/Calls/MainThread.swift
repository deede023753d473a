// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// What the system says of the program's main thread.
enum MainThread {
  /// Whether it computes, or waits for a disk, at this moment.
  ///
  /// - Returns: `false` where it sleeps, waits for something else or has ended, and where the system does not tell: it has
  ///   no `/proc`.
  static func isBusy() -> Bool {
    // SAFETY: the path ends with a zero and lives for the call.
    let file = unsafe open("/proc/self/task/\(getpid())/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    // SAFETY: it writes no more than the array has.
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    return isBusy(stat: bytes.prefix(max(0, count)))
  }

  /// Reads the state out of a thread's `stat` file.
  /// - Parameter stat: The text of the file: number, name in brackets, state, and more.
  /// - Returns: Whether the state is `R` (it runs or may run) or `D` (it waits for a disk).
  ///
  /// **Source:** proc_pid_stat(5) of the Linux manual pages.
  static func isBusy(stat: some BidirectionalCollection<UInt8>) -> Bool {
    // The name may have brackets and spaces of its own.
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return false }
    let state = stat[end...].dropFirst(2).first
    return state == UInt8(ascii: "R") || state == UInt8(ascii: "D")
  }
}
