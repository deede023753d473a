// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Small files that a device keeps for a host besides models, in the folder of hosted models.
package struct HostData: Sendable {
  private let layout: StoreLayout

  /// - Parameter folder: The folder for models; nil for the user's.
  /// - Throws: `storeUnreadable` where no variable names a folder.
  package init(folder: String? = nil) throws(ModelStoreError) {
    let root: String
    if let folder { root = folder } else { root = try StoreLayout.userFolder() }
    layout = StoreLayout(root: root + "/.hosted")
  }

  /// The path of a file.
  package func path(_ name: String) -> String { layout.root + "/" + name }

  /// The number by which this device takes part in rollouts and experiments; made at the first call.
  /// - Throws: `storeUnreadable`, `storeUnwritable`.
  package func installation() throws(ModelStoreError) -> String { try InstallationID.of(layout).id }

  /// The content of a file; nil where there is none.
  /// - Throws: `storeUnreadable`.
  package func contents(_ name: String, limit: Int) throws(ModelStoreError) -> [UInt8]? {
    try FileSystem.contents(of: path(name), limit: limit)
  }

  /// Puts a file in the place of another; a reader sees the old one or the new one, after a crash too.
  /// - Throws: `storeUnwritable`, `diskFull`.
  package func replace(_ name: String, with bytes: [UInt8]) throws(ModelStoreError) {
    try FileSystem.makeFolder(layout.root)
    try FileSystem.replace(path(name), with: bytes)
  }

  /// Adds bytes to the end of a file; where not all of them fit, none stay.
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
  /// - Throws: `storeUnwritable`, and what `body` throws.
  package func alone<Value>(
    _ name: String, _ body: () throws(ModelStoreError) -> Value
  ) throws(ModelStoreError) -> Value {
    try layout.alone("~" + name, body)
  }

  /// Whether a new lock of a longer work could be taken; it ends with the value.
  package func lock(_ name: String) throws(ModelStoreError) -> Lock? {
    try FileSystem.makeFolder(layout.partialFolder)
    switch try StoreLock.attempt(layout.lock("~" + name)) {
    case .taken(let lock): return Lock(held: lock)
    case .held: return nil
    case .unknown: return Lock(held: nil)
    }
  }

  /// The right to do a longer work alone.
  package final class Lock: Sendable {
    private let held: StoreLock?

    init(held: StoreLock?) { self.held = held }

    /// Gives it back.
    package func discard() { held?.discard() }
  }
}
