// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// An upload into a file of this machine, which is sent to the bucket at its end.
final class S3Upload: BlobUpload {
  private let file: FileUpload
  private let store: S3BlobStore

  init(_ file: FileUpload, _ store: S3BlobStore) {
    (self.file, self.store) = (file, store)
  }

  var name: String { file.name }
  var size: Int64 { file.size }
  var crc32c: UInt32 { file.crc32c }
  var md5: [UInt8]? { file.md5 }

  func append(_ bytes: [UInt8]) async throws(HostError) { try await file.append(bytes) }
  func takeBack() async throws(HostError) { try await file.takeBack() }
  func suspend() async throws(HostError) { try await file.suspend() }
  func cancel() async { await file.cancel() }

  /// Sends the bytes first: if that fails, the upload can be finished again.
  func finish() async throws(HostError) -> FinishedBlob {
    try await store.send(file.written(), path: file.path)
    return try await file.finish()
  }
}
#endif
