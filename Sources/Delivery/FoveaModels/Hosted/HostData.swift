// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The small files that a device keeps for a host, in the folder of hosted models.
package struct HostData: Sendable {
  private let layout: StoreLayout

  /// - Parameter folder: The folder for models; nil for the user's.
  /// - Throws: `storeUnreadable` if no variable sets a folder.
  package init(folder: String? = nil) throws(ModelStoreError) {
    let root: String
    if let folder { root = folder } else { root = try StoreLayout.userFolder() }
    layout = StoreLayout(root: root + "/.hosted")
  }

  /// Returns the path of a file.
  package func path(_ name: String) -> String { layout.root + "/" + name }

  /// Returns the id with which this device takes part in rollouts and experiments; created at the first call.
  /// - Throws: `storeUnreadable`, `storeUnwritable`.
  package func installation() throws(ModelStoreError) -> String { try InstallationID.of(layout).id }

  /// Returns the content of a file; nil if it does not exist.
  /// - Throws: `storeUnreadable`.
  package func contents(_ name: String, limit: Int) throws(ModelStoreError) -> [UInt8]? {
    try FileSystem.contents(of: path(name), limit: limit)
  }

  /// Replaces a file atomically; readers see the old or the new content, even after a crash.
  /// - Throws: `storeUnwritable`, `diskFull`.
  package func replace(_ name: String, with bytes: [UInt8]) throws(ModelStoreError) {
    try FileSystem.makeFolder(layout.root)
    try FileSystem.replace(path(name), with: bytes)
  }

  /// Appends bytes to a file; if not all of them fit, none are kept.
  /// - Throws: `storeUnwritable`, `diskFull`.
  package func append(_ bytes: [UInt8], to name: String) throws(ModelStoreError) {
    try FileSystem.makeFolder(layout.root)
    let path = path(name)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileSystem.failure(errno, writing: path) }
    defer { close(descriptor) }
    let size = FileStatus(descriptor: descriptor)?.size
    guard let number = Descriptor.write(bytes, to: descriptor).error else { return }
    if let size { ftruncate(descriptor, off_t(size)) }
    throw FileSystem.failure(number, writing: path)
  }

  /// Calls `body` while no other process does so for the same name.
  /// - Throws: `storeUnwritable`, and the error of `body`.
  package func alone<Value>(
    _ name: String, _ body: () throws(ModelStoreError) -> Value
  ) throws(ModelStoreError) -> Value {
    try layout.alone("~" + name, body)
  }

  /// Acquires a lock for longer work, released with the returned value; nil if it is held elsewhere.
  package func lock(_ name: String) throws(ModelStoreError) -> Lock? {
    try FileSystem.makeFolder(layout.partialFolder)
    switch try StoreLock.attempt(layout.lock("~" + name)) {
    case .taken(let lock): return Lock(held: lock)
    case .held: return nil
    case .unknown: return Lock(held: nil)
    }
  }

  /// An exclusive lock for longer work.
  package final class Lock: Sendable {
    private let held: StoreLock?

    init(held: StoreLock?) { self.held = held }

    /// Releases the lock.
    package func discard() { held?.discard() }
  }
}
