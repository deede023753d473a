// SPDX-License-Identifier: Apache-2.0

/// Reads whole files.
package enum SmallFile {
  /// Returns the content of a regular file.
  /// - Parameters:
  ///   - path: The file; links are followed.
  ///   - limit: The maximum number of bytes.
  /// - Returns: The bytes.
  /// - Throws: The system's reason; `EFBIG` beyond the limit, `EINVAL` if it is not a regular file.
  package static func bytes(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
    // Non-blocking, because it may be a pipe.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor) else { throw SystemError(errno) }
    guard status.kind == .file else { throw SystemError(status.kind == .folder ? EISDIR : EINVAL) }
    return try bytes(from: descriptor, limit: limit)
  }

  /// Returns everything from a descriptor to its end.
  /// - Throws: The system's reason; `EFBIG` beyond the limit.
  package static func bytes(from descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    try Descriptor.forEachChunk(of: descriptor) { chunk throws(SystemError) in
      guard bytes.count + chunk.count <= limit else { throw SystemError(EFBIG) }
      bytes += chunk
    }
    return bytes
  }
}
