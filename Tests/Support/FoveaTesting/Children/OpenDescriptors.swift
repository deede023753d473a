// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The open descriptors of other processes.
package enum OpenDescriptors {
  /// Returns the descriptors of a process that it can have inherited: files, pipes and sockets.
  ///
  /// Event queues, counters and timers that its own runtime creates are left out.
  /// - Parameter number: The process id.
  /// - Returns: Numbers in rising order; empty for a process that has ended, and on systems without `/proc`.
  package static func shared(by number: Int32) -> [Int] {
    let folder = "/proc/\(number)/fd"
    let numbers = ((try? Folder.names(in: folder)) ?? []).compactMap { Int($0) }
    return numbers.filter { !target(of: folder + "/\($0)").hasPrefix("anon_inode:") }.sorted()
  }

  private static func target(of path: String) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return "" }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
