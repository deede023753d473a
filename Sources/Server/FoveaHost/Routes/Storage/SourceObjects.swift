// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
/// Finds the object that a model's source names: `gs://…`, or one of this host's own signed addresses.
///
/// Nothing is ever fetched: an address of anybody else is refused.
struct SourceObjects: Sendable {
  let metadata: any MetadataStore
  let project: String
  let authority: Authority

  /// - Throws: `invalid`, `forbidden` or `expired` for an address that is not one of this host; `not-found` where there is no
  ///   such object.
  func object(at address: String) async throws(HostError) -> StoredObject {
    let place = try SourceAddress.object(address, project: project, authority: authority)
    guard let object = try await metadata.object(bucket: place.bucket, name: place.name) else {
      throw HostError(
        .notFound, "Object gs://\(place.bucket)/\(place.name) was not found", remedy: "Upload it first")
    }
    return object
  }
}
#endif
