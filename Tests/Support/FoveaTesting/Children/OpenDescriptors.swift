// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// What other processes have open.
package enum OpenDescriptors {
  /// The descriptors of a process that another one can have given to it: files, pipes and sockets.
  ///
  /// Event queues, counters and timers that its own runtime makes are left out.
  /// - Parameter number: The number of the process.
  /// - Returns: Numbers in rising order; empty for a process that is gone, and on systems without `/proc`.
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
