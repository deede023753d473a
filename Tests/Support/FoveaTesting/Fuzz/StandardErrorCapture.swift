// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Captures standard error, to verify that no library writes there.
public final class StandardErrorCapture: Sendable {
  private let saved: Int32
  private let file: Int32

  /// Redirects standard error until `end()`.
  public init() throws {
    saved = dup(STDERR_FILENO)
    var name = Array("/tmp/fovea-fuzz-XXXXXX".utf8CString)
    file = unsafe mkstemp(&name)
    guard saved >= 0, file >= 0, dup2(file, STDERR_FILENO) >= 0 else {
      throw FuzzFailure("standard error cannot be diverted")
    }
    unsafe unlink(name)
  }

  /// Ends the redirection.
  /// - Returns: The first 4 KiB that were written.
  public func end() -> String {
    dup2(saved, STDERR_FILENO)
    close(saved)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe pread(file, &bytes, bytes.count, 0)
    close(file)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
