// SPDX-License-Identifier: Apache-2.0

/// Files that are read whole.
package enum SmallFile {
  /// The content of a regular file.
  /// - Parameters:
  ///   - path: The file; links are followed.
  ///   - limit: The most bytes.
  /// - Returns: The bytes.
  /// - Throws: The system's reason; `EFBIG` beyond the limit, `EINVAL` for what is no regular file.
  package static func bytes(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
    // Not blocking: the name may be that of a pipe.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor) else { throw SystemError(errno) }
    guard status.kind == .file else { throw SystemError(status.kind == .folder ? EISDIR : EINVAL) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(status.size, limit))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Descriptor.read(descriptor, into: &chunk)
      guard count >= 0 else { throw SystemError(Int32(-count)) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw SystemError(EFBIG) }
      bytes += chunk[..<count]
    }
  }
}
