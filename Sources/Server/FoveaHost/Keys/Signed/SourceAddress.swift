// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The source of a model's file: one of the host's own objects, and nothing else.
///
/// The host reads it from its own store, and never opens a connection, regardless of the URL.
package enum SourceAddress {
  /// Returns the object that `gs://BUCKET/NAME`, or a URL signed by a valid key of the project, names.
  ///
  /// - Parameters:
  ///   - text: The source from the client.
  ///   - project: The project of the model.
  ///   - authority: The keys of the host.
  /// - Returns: The bucket and name.
  /// - Throws: `invalid` for sources of any other form or host; the errors of ``SignedObjectURL``.
  package static func object(
    _ text: String, project: String, authority: Authority
  ) throws(HostError) -> ObjectName {
    guard text.utf8.count <= 4_096, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
      !text.contains("#")
    else { throw refused }
    if text.hasPrefix("gs://") {
      let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !text.contains("?") else { throw refused }
      return try ObjectName(bucket: String(parts[0]), name: String(parts[1]))
    }
    // Compares bytes: nothing may follow that another URL parser treats as a user, a port or a number.
    guard text.hasPrefix(authority.address + "/") else { throw refused }
    let target = text.dropFirst(authority.address.count)
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard target.count == 2 else { throw refused }
    let signed = try SignedObjectURL(
      method: "GET", path: String(target[0]), query: String(target[1]), authority: authority)
    guard signed.signer.project == project else { throw Identity.unknownProject }
    try signed.signer.require(.readModels)
    return signed.object
  }

  private static let refused = HostError(
    .invalid,
    "The source of the model's file is neither gs://BUCKET/NAME nor a URL signed by a key of this host",
    remedy: "Upload the file to the host, and use the URL that the client creates for it")
}
#endif
