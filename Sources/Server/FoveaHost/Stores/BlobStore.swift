// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Where a host keeps the bytes of files, named by their SHA-256.
///
/// No other type names a path. A blob is visible only whole: written under a temporary name, synced, renamed, its folder
/// synced.
package protocol BlobStore: Sendable {
  /// Begins a blob, or goes on with the upload of that name, which ``BlobUpload/suspend()`` has left behind; an error where
  /// there is none.
  func upload(resuming: String?) throws(HostError) -> any BlobUpload

  /// Opens a blob for reading.
  /// - Throws: `not-found` where there is none.
  func open(_ sha256: String) throws(HostError) -> any Blob

  func contains(_ sha256: String) -> Bool

  /// Removes a blob; those who have it open go on reading.
  func remove(_ sha256: String) throws(HostError)

  /// Every blob with its size and the time of its last change.
  func all() throws(HostError) -> [BlobInfo]

  /// Removes uploads that were left behind before that time, and blobs that are not in `used` and are older than it.
  /// - Returns: How many bytes that made free.
  @discardableResult
  func collect(keeping used: Set<String>, before time: Timestamp) throws(HostError) -> Int64

  /// Reads a blob whole and compares it with its name.
  func isIntact(_ sha256: String) throws(HostError) -> Bool
}

/// Bytes on their way into a ``BlobStore``.
///
/// One task at a time uses it.
package protocol BlobUpload: Sendable {
  /// Name under which it can be resumed.
  var name: String { get }
  /// How many bytes it has.
  var size: Int64 { get }
  /// Castagnoli's checksum of its bytes.
  var crc32c: UInt32 { get }
  /// Appends bytes.
  /// - Throws: `disk-full`, `unavailable`; what was written before stays.
  func append(_ bytes: UnsafeRawBufferPointer) throws(HostError)
  /// Takes back what was appended since it was begun or resumed.
  func takeBack() throws(HostError)
  /// Makes the bytes a blob, durably.
  func finish() throws(HostError) -> FinishedBlob
  /// Leaves the bytes there to be resumed, durably.
  func suspend() throws(HostError)
  /// Removes the bytes.
  func cancel()
}

package struct FinishedBlob: Sendable, Equatable {
  package let sha256: String
  package let size: Int64
  package let crc32c: UInt32
}

package struct BlobInfo: Sendable, Equatable {
  package let sha256: String
  package let size: Int64
  package let changed: Timestamp
}

/// A blob that is open: its bytes stay readable until the last reference to it is gone, also after it was removed.
package protocol Blob: Sendable, AnyObject {
  var size: Int64 { get }
  /// Reads up to `count` bytes from an offset into memory.
  /// - Returns: How many were read; 0 at the end.
  func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws(HostError) -> Int
  /// The open file itself, where the store has one; it is closed with the last reference to the blob.
  var descriptor: Int32? { get }
  /// The open file, for checking it with a program, where the store has one.
  var path: String { get }
}

extension BlobUpload {
  /// Appends a part of a body, on a thread of its own: a disk that hangs must not hold up the requests that need none.
  package func append(part bytes: [UInt8]) async throws(HostError) {
    try await BlockingWork.run { _ throws(HostError) -> Void in
      // SAFETY: the upload only reads the bytes, and keeps none.
      let written = unsafe bytes.withUnsafeBytes { bytes in
        Result { () throws(HostError) -> Void in try unsafe self.append(bytes) }
      }
      try written.get()
    }
  }

  /// Removes the bytes, on a thread of its own as well.
  package func discard() async {
    await BlockingWork.run { _ in self.cancel() }
  }
}
#endif
