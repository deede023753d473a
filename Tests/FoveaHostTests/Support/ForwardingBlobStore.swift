// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost

/// A store that forwards to another one what it does not override.
protocol ForwardingBlobStore: BlobStore {
  /// The other store.
  var store: any BlobStore { get }
}

extension ForwardingBlobStore {
  func open(_ sha256: String) throws(HostError) -> any Blob { try store.open(sha256) }
  func upload(resuming name: String?) throws(HostError) -> any BlobUpload {
    try store.upload(resuming: name)
  }
  func contains(_ sha256: String) -> Bool { store.contains(sha256) }
  func remove(_ sha256: String) throws(HostError) { try store.remove(sha256) }
  func all() throws(HostError) -> [BlobInfo] { try store.all() }
  func collect(keeping used: Set<String>, before time: Timestamp) throws(HostError) -> Int64 {
    try store.collect(keeping: used, before: time)
  }
  func isIntact(_ sha256: String) throws(HostError) -> Bool { try store.isIntact(sha256) }
}
#endif
