// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The store of the bytes of files, named by their SHA-256.
///
/// No other type names a path. A blob becomes visible only when it is complete and durable. No call blocks a
/// thread that tasks share: a disk or a network that hangs must not hold up requests that do not use it.
package protocol BlobStore: Sendable {
  /// The folder of this machine that it writes to.
  var folder: String { get }

  /// Starts a blob, or resumes the upload of that name left behind by ``BlobUpload/suspend()``; an error if
  /// there is none.
  func upload(resuming: String?) async throws(HostError) -> any BlobUpload

  /// Starts a blob under the name of an upload that another host has started.
  /// - Throws: `not-found` for a name that no store gives; `conflict` if another request writes to it.
  func upload(named: String) async throws(HostError) -> any BlobUpload

  /// Stores the bytes of a file of this machine, durably; also replaces a blob that is damaged.
  /// - Parameters:
  ///   - file: The file.
  ///   - sums: The sums of its bytes.
  /// - Throws: `corrupted`, or the refusal of a bucket, if the file has changed since its sums were counted;
  ///   `cancelled` if the task is cancelled; `disk-full`, `unavailable`.
  func put(_ file: any Blob, _ sums: FinishedBlob) async throws(HostError)

  /// Returns the place from which devices read a blob.
  /// - Throws: `not-found` if there is none; `damaged` if its bytes are known to have changed.
  func location(of sha256: String) async throws(HostError) -> BlobLocation

  /// Opens the stored bytes of a blob as a file of this machine, even if they have changed.
  /// - Throws: `not-found` if there is none.
  func localCopy(of sha256: String) async throws(HostError) -> any Blob

  func contains(_ sha256: String) async throws(HostError) -> Bool

  /// Removes a blob; readers that have it open can still read it.
  func remove(_ sha256: String) async throws(HostError)

  /// Returns every blob with its size and the time of its last change.
  func all() async throws(HostError) -> [BlobInfo]

  /// Removes uploads left behind before that time, and older blobs that are not in `used`.
  /// - Parameters:
  ///   - used: The blobs to keep; nil to remove only what other hosts cannot see.
  ///   - time: The time.
  ///   - condition: Asked before each removal that other hosts can see; its error ends the call.
  /// - Returns: The number of bytes freed.
  /// - Throws: Any error of `condition`; `unavailable`.
  @discardableResult
  func collect(
    keeping used: Set<String>?, before time: Timestamp,
    if condition: @Sendable () async throws(HostError) -> Void
  ) async throws(HostError) -> Int64

  /// Reads a whole blob and compares its digest with its name.
  func isIntact(_ sha256: String) async throws(HostError) -> Bool
}

extension BlobStore {
  /// Removes uploads left behind before that time, and older blobs that are not in `used`.
  /// - Returns: The number of bytes freed.
  @discardableResult
  package func collect(keeping used: Set<String>, before time: Timestamp) async throws(HostError) -> Int64 {
    try await collect(keeping: used, before: time) { () throws(HostError) in }
  }
}

/// The place from which a device reads a blob.
package enum BlobLocation: Sendable {
  /// The host sends it.
  case file(any Blob)
  /// Another server sends it: an address that is valid for a few minutes and for GET only.
  case address(String, size: Int64)

  /// The size of the stored bytes.
  package var size: Int64 {
    switch self {
    case .file(let blob): blob.size
    case .address(_, let size): size
    }
  }
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
  func append(_ bytes: [UInt8]) async throws(HostError)
  /// Discards the bytes appended since the upload was started or resumed.
  func takeBack() async throws(HostError)
  /// Turns the bytes into a blob, durably.
  func finish() async throws(HostError) -> FinishedBlob
  /// Keeps the bytes, durably, so that the upload can be resumed.
  func suspend() async throws(HostError)
  /// Removes the bytes.
  func cancel() async
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
  /// Whether its bytes were compared with its name just before it was opened; false by default.
  var isVerified: Bool { get }
}

extension Blob {
  var isVerified: Bool { false }

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
#endif
