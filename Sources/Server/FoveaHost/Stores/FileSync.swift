// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Waiting until a file is on the disk.
enum FileSync {
  /// - Throws: The system's reason.
  static func file(_ path: String) throws(SystemError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    try Descriptor.sync(descriptor)
  }

  /// Waits until the names in a folder are on the disk.
  ///
  /// A folder that knows no sync, as on some network file systems, is as durable as it gets.
  /// - Throws: The system's reason, such as a failing disk.
  static func folder(_ path: String) throws(SystemError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    try Descriptor.sync(descriptor)
  }
}
#endif
