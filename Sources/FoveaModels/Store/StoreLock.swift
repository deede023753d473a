// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// The right to append to a download's file; ends with its owner, and with the process.
final class StoreLock: Sendable {
  private let descriptor: Int32
  private let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Waits until no one else holds the lock.
  /// - Parameters:
  ///   - path: A file of no content, made where it is missing.
  ///   - onWait: Called once, where there is something to wait for.
  /// - Returns: nil where the file system knows no locks.
  /// - Throws: `storeUnwritable`, `cancelled`.
  static func acquire(_ path: String, onWait: () -> Void) async throws(ModelStoreError) -> StoreLock? {
    var hasWaited = false
    while true {
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw FileSystem.failure(errno, writing: path) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // Its last owner may have removed the file between our opening and locking it.
        if isSame(descriptor, path) { return StoreLock(descriptor: descriptor, path: path) }
        close(descriptor)
        continue
      }
      let number = errno
      close(descriptor)
      if number == EINTR { continue }
      guard number == EWOULDBLOCK else { return nil }
      if !hasWaited { onWait() }
      hasWaited = true
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled }
    }
  }

  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (held, named) = (stat(), stat())
    return unsafe fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
      && held.st_dev == named.st_dev
  }

  /// Removes the file, while it is still held.
  func discard() { unsafe unlink(path) }

  deinit { close(descriptor) }
}

extension ModelStoreError {
  static let cancelled = ModelStoreError(
    .cancelled, "The download was cancelled", remedy: "Download it again; it continues where it ended")
}
