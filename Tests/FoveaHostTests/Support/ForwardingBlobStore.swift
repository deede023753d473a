// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost

/// A store that forwards to another one what it does not override.
protocol ForwardingBlobStore: BlobStore {
  /// The other store.
  var store: any BlobStore { get }
}

extension ForwardingBlobStore {
  var folder: String { store.folder }
  func upload(resuming name: String?) async throws(HostError) -> any BlobUpload {
    try await store.upload(resuming: name)
  }
  func put(_ file: any Blob, _ sums: FinishedBlob) async throws(HostError) {
    try await store.put(file, sums)
  }
  func upload(named name: String) async throws(HostError) -> any BlobUpload {
    try await store.upload(named: name)
  }
  func location(of sha256: String) async throws(HostError) -> BlobLocation {
    .file(try await localCopy(of: sha256))
  }
  func localCopy(of sha256: String) async throws(HostError) -> any Blob {
    try await store.localCopy(of: sha256)
  }
  func contains(_ sha256: String) async throws(HostError) -> Bool { try await store.contains(sha256) }
  func remove(_ sha256: String) async throws(HostError) { try await store.remove(sha256) }
  func all() async throws(HostError) -> [BlobInfo] { try await store.all() }
  func collect(
    keeping used: Set<String>?, before time: Timestamp,
    if condition: @Sendable () async throws(HostError) -> Void
  ) async throws(HostError) -> Int64 {
    try await store.collect(keeping: used, before: time, if: condition)
  }
  func isIntact(_ sha256: String) async throws(HostError) -> Bool { try await store.isIntact(sha256) }
}
#endif
