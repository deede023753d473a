// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
/// Finds the object of a model's source: `gs://…`, or a URL signed by this host's keys.
///
/// Never fetches anything: a URL of another host is refused.
struct SourceObjects: Sendable {
  let metadata: MetadataStore
  let project: String
  let authority: Authority

  /// - Throws: `invalid`, `forbidden` or `expired` for a source that does not belong to this host;
  ///   `not-found` if there is no such object.
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
