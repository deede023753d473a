// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// An upload into a file that does not have a blob's name yet.
///
/// Its owner may drop it without notice, for example when a connection breaks: the bytes stay and can be
/// resumed.
final class FileUpload: BlobUpload {
  private struct State {
    var sums: BlobSums
    /// Negative after the end.
    var descriptor: Int32
  }

  let name: String
  let path: String
  private let store: FolderBlobStore
  /// The sums when it was started or resumed.
  private let start: BlobSums
  private let state: Mutex<State>

  init(name: String, path: String, descriptor: Int32, sums: BlobSums, store: FolderBlobStore) {
    start = sums
    self.name = name
    self.path = path
    self.store = store
    state = Mutex(State(sums: sums, descriptor: descriptor))
  }

  deinit { close { $0 } }

  var size: Int64 { state.withLock { $0.sums.size } }

  var crc32c: UInt32 { state.withLock { $0.sums.crc32c } }

  var md5: [UInt8]? { state.withLock { $0.sums.md5 } }

  func takeBack() async throws(HostError) {
    try await BlockingWork.run { [self] _ throws(HostError) in try truncate() }
  }

  func append(_ bytes: [UInt8]) async throws(HostError) {
    try await BlockingWork.run { [self] _ throws(HostError) -> Void in
      // SAFETY: writing only reads the bytes and keeps no pointer to them.
      let written = unsafe bytes.withUnsafeBytes { bytes in
        Result { () throws(HostError) -> Void in try unsafe write(bytes) }
      }
      try written.get()
    }
  }

  func finish() async throws(HostError) -> FinishedBlob {
    try await BlockingWork.run { [self] _ throws(HostError) in try nameBlob() }
  }

  func suspend() async throws(HostError) {
    try await BlockingWork.run { [self] _ throws(HostError) in try keep() }
  }

  func cancel() async {
    await BlockingWork.run { [self] _ in remove() }
  }

  private func truncate() throws(HostError) {
    try state.withLock { state throws(HostError) in
      guard state.descriptor >= 0 else { throw Self.ended }
      guard ftruncate(state.descriptor, off_t(start.size)) == 0 else {
        throw HostError(system: SystemError(errno))
      }
      state.sums = start
    }
  }

  /// Appends the bytes of a file; blocks.
  /// - Throws: `cancelled` once `isStopped` returns true; the errors of the two files.
  func append(_ file: any Blob, isStopped: () -> Bool) throws(HostError) {
    var offset: Int64 = 0
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      guard !isStopped() else { throw .cancelled }
      let count = try file.read(at: offset, into: &bytes)
      guard count > 0 else { return }
      // SAFETY: writing only reads the bytes and keeps no pointer to them.
      let written = unsafe bytes.withUnsafeBytes { bytes in
        Result { () throws(HostError) -> Void in
          try unsafe write(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
      }
      try written.get()
      offset += Int64(count)
    }
  }

  /// Appends bytes; blocks.
  func write(_ bytes: UnsafeRawBufferPointer) throws(HostError) {
    // SAFETY: the lock's body ends before this call does; it is a closure only in name.
    nonisolated(unsafe) let bytes = unsafe bytes
    try state.withLock { state throws(HostError) in
      guard state.descriptor >= 0 else { throw Self.ended }
      do throws(SystemError) {
        try Failpoint.pass("blob.write")
        try unsafe Self.write(bytes, to: state.descriptor, at: state.sums.size)
      } catch {
        // Some of the bytes may be written; only those in the sums count.
        ftruncate(state.descriptor, off_t(state.sums.size))
        throw HostError(system: error)
      }
      unsafe state.sums.update(bytes)
    }
  }

  /// Returns the sums of the bytes so far.
  /// - Throws: `conflict` if the upload has ended.
  func written() throws(HostError) -> FinishedBlob {
    try state.withLock { state throws(HostError) in
      guard state.descriptor >= 0 else { throw Self.ended }
      return state.sums.finished
    }
  }

  /// Turns the bytes into a blob; blocks.
  func nameBlob() throws(HostError) -> FinishedBlob {
    try state.withLock { state throws(HostError) in
      guard state.descriptor >= 0 else { throw Self.ended }
      let blob = state.sums.finished
      do throws(SystemError) {
        try Failpoint.pass("blob.sync")
        // The blob's age is counted from this point on.
        guard futimens(state.descriptor, nil) == 0 else { throw SystemError(errno) }
        try Descriptor.sync(state.descriptor)
        try store.name(path, blob.sha256)
      } catch {
        throw HostError(system: error)
      }
      Descriptor.close(state.descriptor)
      state.descriptor = -1
      store.register.giveBack(name, nil)
      return blob
    }
  }

  private func keep() throws(HostError) {
    try state.withLock { state throws(HostError) in
      guard state.descriptor >= 0 else { throw Self.ended }
      do throws(SystemError) {
        try Failpoint.pass("upload.suspend")
        try Descriptor.sync(state.descriptor)
        try Folder.sync(FilePath(path).parent)
      } catch {
        throw HostError(system: error)
      }
    }
    close { $0 }
  }

  /// Removes the bytes; blocks.
  func remove() {
    close { _ in
      // While the upload is registered, nothing else uses the name.
      unsafe unlink(path)
      return nil
    }
  }

  private func close(_ left: (BlobSums) -> BlobSums?) {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      Descriptor.close(state.descriptor)
      state.descriptor = -1
      store.register.giveBack(name, left(state.sums))
    }
  }

  private static var ended: HostError {
    HostError(.conflict, "The upload has ended", remedy: "Start a new one")
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at start: Int64
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      // SAFETY: the rest of the buffer, which the call only reads.
      let count = unsafe pwrite(
        descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written,
        off_t(start + Int64(written)))
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw SystemError(count == 0 ? ENOSPC : errno)
      }
    }
  }
}
#endif
