// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A file lock for a download; released with its owner and at the end of the process.
final class StoreLock: Sendable {
  private let descriptor: Int32
  private let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Waits until no one else holds the lock.
  /// - Parameters:
  ///   - path: An empty file, created if it is missing.
  ///   - deadline: The time until which to wait; nil to wait forever.
  ///   - onWait: Called once, if the lock is held by someone else.
  /// - Returns: nil if the file system does not support locks.
  /// - Throws: `storeUnwritable`, `cancelled`, `timeout`.
  static func acquire(
    _ path: String, until deadline: ContinuousClock.Instant? = nil, onWait: () -> Void
  ) async throws(ModelStoreError) -> StoreLock? {
    var hasWaited = false
    while true {
      switch try attempt(path, LOCK_EX | LOCK_NB) {
      case .taken(let lock): return lock
      case .unknown: return nil
      case .held: break
      }
      if let deadline, ContinuousClock.now >= deadline {
        throw ModelStoreError(
          .timeout, "Another download of this model did not end before the deadline",
          remedy: "Download it again later")
      }
      if !hasWaited { onWait() }
      hasWaited = true
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled }
    }
  }

  /// The result of an attempt to lock.
  enum State {
    case taken(StoreLock)
    /// By another owner.
    case held
    /// The file system does not support locks.
    case unknown
  }

  /// Acquires the lock if no one else holds it.
  /// - Throws: `storeUnwritable`.
  static func attempt(
    _ path: String, _ operation: Int32 = LOCK_EX | LOCK_NB
  ) throws(ModelStoreError) -> State {
    while true {
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw FileSystem.failure(errno, writing: path) }
      if flock(descriptor, operation) == 0 {
        // The last owner may have removed the file between our opening and locking it.
        if FileLock.isNamed(descriptor, path) { return .taken(StoreLock(descriptor: descriptor, path: path)) }
        close(descriptor)
        continue
      }
      let number = errno
      close(descriptor)
      if number == EINTR { continue }
      return number == EWOULDBLOCK ? .held : .unknown
    }
  }

  /// Downgrades to a shared lock: others may share it, but not lock it exclusively.
  func share() { flock(descriptor, LOCK_SH) }

  /// Removes the lock file while the lock is still held.
  func discard() { unsafe unlink(path) }

  deinit { close(descriptor) }
}

extension StoreLayout {
  /// Calls `body` while no other process or task changes the item of this name.
  ///
  /// Blocks the thread for a moment; does not wait in a file system without locks.
  /// - Parameters:
  ///   - name: The name of a model or of a store file.
  ///   - body: The change, which must be quick.
  /// - Returns: The result of `body`.
  /// - Throws: `storeUnwritable`, and the error of `body`.
  func alone<Value>(
    _ name: String, _ body: () throws(ModelStoreError) -> Value
  ) throws(ModelStoreError) -> Value {
    try FileSystem.makeFolder(partialFolder)
    let state = try StoreLock.attempt(changeLock(name), LOCK_EX)
    defer { if case .taken(let lock) = state { lock.discard() } }
    return try body()
  }
}

extension ModelStoreError {
  static let cancelled = ModelStoreError(
    .cancelled, "The download was cancelled", remedy: "Download it again; it resumes where it stopped")
}
