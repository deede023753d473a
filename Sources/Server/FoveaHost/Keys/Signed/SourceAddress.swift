// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Where the file of a model is said to be: one of the host's own objects, and nothing else.
///
/// The host reads it from its own store and connects to no one, whatever the address names.
package enum SourceAddress {
  /// The object that `gs://BUCKET/NAME` or an address that a live key of the project signed stands for.
  ///
  /// - Parameters:
  ///   - text: As a client sent it.
  ///   - project: The project of the model.
  ///   - authority: The keys of the host.
  /// - Returns: Bucket and name.
  /// - Throws: `invalid` for addresses of any other form or place; else as ``SignedObjectURL``.
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
    // Byte by byte: nothing that another reader of addresses takes for a user, a port or a number can follow.
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
    "The address of the model's file is neither gs://BUCKET/NAME nor signed by a key of this host",
    remedy: "Upload the file to the host, and use the address that the client makes for it")
}
#endif
