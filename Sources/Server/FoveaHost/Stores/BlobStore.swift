// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The store of the bytes of files, named by their SHA-256.
///
/// No other type names a path. A blob becomes visible only when complete: it is written under a temporary
/// name, synced, renamed, and its folder synced.
package protocol BlobStore: Sendable {
  /// Starts a blob, or resumes the upload of that name left behind by ``BlobUpload/suspend()``; an error if
  /// there is none.
  func upload(resuming: String?) throws(HostError) -> any BlobUpload

  /// Opens a blob for reading.
  /// - Throws: `not-found` if there is none.
  func open(_ sha256: String) throws(HostError) -> any Blob

  func contains(_ sha256: String) -> Bool

  /// Removes a blob; readers that have it open can still read it.
  func remove(_ sha256: String) throws(HostError)

  /// Returns every blob with its size and the time of its last change.
  func all() throws(HostError) -> [BlobInfo]

  /// Removes uploads left behind before that time, and older blobs that are not in `used`.
  /// - Returns: The number of bytes freed.
  @discardableResult
  func collect(keeping used: Set<String>, before time: Timestamp) throws(HostError) -> Int64

  /// Reads a whole blob and compares its digest with its name.
  func isIntact(_ sha256: String) throws(HostError) -> Bool
}

/// Bytes being written into a ``BlobStore``.
///
/// Used by one task at a time.
package protocol BlobUpload: Sendable {
  /// The name under which it can be resumed.
  var name: String { get }
  /// The number of bytes written.
  var size: Int64 { get }
  /// The CRC-32C (Castagnoli) checksum of the bytes.
  var crc32c: UInt32 { get }
  /// The MD5 of the bytes, which Google's storage clients may send; nil if it is not counted.
  var md5: [UInt8]? { get }
  /// Appends bytes.
  /// - Throws: `disk-full`, `unavailable`; bytes written before are kept.
  func append(_ bytes: UnsafeRawBufferPointer) throws(HostError)
  /// Discards the bytes appended since the upload was started or resumed.
  func takeBack() throws(HostError)
  /// Turns the bytes into a blob, durably.
  func finish() throws(HostError) -> FinishedBlob
  /// Keeps the bytes, durably, so that the upload can be resumed.
  func suspend() throws(HostError)
  /// Removes the bytes.
  func cancel()
}

package struct FinishedBlob: Sendable, Equatable {
  package let sha256: String
  package let size: Int64
  package let crc32c: UInt32
  package let md5: [UInt8]?
}

package struct BlobInfo: Sendable, Equatable {
  package let sha256: String
  package let size: Int64
  package let changed: Timestamp
}

/// An open blob: its bytes stay readable until the last reference is released, even after its removal.
package protocol Blob: Sendable, AnyObject {
  var size: Int64 { get }
  /// Reads up to `count` bytes from an offset into memory.
  /// - Returns: The number of bytes read; 0 at the end.
  func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws(HostError) -> Int
  /// The open file itself, if the store has one; closed with the last reference to the blob.
  var descriptor: Int32? { get }
  /// The path of the open file, if the store has one, for checking it with a program.
  var path: String { get }
}

extension Blob {
  /// Reads bytes from an offset into an array, at most as many as it has.
  /// - Returns: The number of bytes read; 0 at the end.
  func read(at offset: Int64, into bytes: inout [UInt8]) throws(HostError) -> Int {
    // SAFETY: the blob writes at most the bytes that the array has.
    let count = unsafe bytes.withUnsafeMutableBytes { memory in
      Result { () throws(HostError) in try unsafe read(at: offset, into: memory) }
    }
    return try count.get()
  }

  /// Reads the whole blob; blocks.
  /// - Returns: Its checksums and the number of bytes read.
  /// - Throws: `cancelled` once `isStopped` returns true; `unavailable` if the disk cannot read it.
  func sums(isStopped: () -> Bool) throws(HostError) -> FinishedBlob {
    var sums = BlobSums()
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    while !isStopped() {
      let count = try read(at: sums.size, into: &bytes)
      guard count > 0 else { return sums.finished }
      sums.update(bytes[..<count])
    }
    throw .cancelled
  }
}

extension BlobUpload {
  /// Appends a part of a body on a separate thread: a disk that hangs must not block requests that do not use
  /// it.
  package func append(part bytes: [UInt8]) async throws(HostError) {
    try await BlockingWork.run { _ throws(HostError) -> Void in
      // SAFETY: the upload only reads the bytes and keeps no pointer to them.
      let written = unsafe bytes.withUnsafeBytes { bytes in
        Result { () throws(HostError) -> Void in try unsafe self.append(bytes) }
      }
      try written.get()
    }
  }

  /// Removes the bytes, also on a separate thread.
  package func discard() async {
    await BlockingWork.run { _ in self.cancel() }
  }
}
#endif
