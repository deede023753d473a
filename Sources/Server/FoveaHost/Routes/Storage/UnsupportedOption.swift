// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes

/// The options of an upload that protect, share or limit an object in Cloud Storage, or change its bytes, and
/// that this host does not support.
///
/// Each is refused by name, since a client would otherwise rely on it.
enum UnsupportedOption {
  private static let encryption = "the host does not encrypt objects with a client's key"
  private static let sharing = "objects are readable for the project's service keys and no one else"
  private static let retention = "the host does not keep objects from being deleted"
  private static let coding = "the host returns the bytes as they were sent, without a content encoding"
  private static let copying = "the host does not copy objects"
  private static let limit = "the host has one limit for the size of all uploads"

  /// Refuses the options of a request's query and headers.
  /// - Throws: `invalid`.
  static func check(_ query: RequestQuery, _ headers: HTTPFields) throws(HostError) {
    for name in ["kmsKeyName", "kms_key_name"] where query[name] != nil { throw refusal(name, encryption) }
    for name in ["predefinedAcl", "predefined_acl"] {
      // The access that each object of the host has.
      if let value = query[name], value != "projectPrivate" { throw refusal(name, sharing) }
    }
    if let value = query["contentEncoding"], isCoded(value) { throw refusal("contentEncoding", coding) }
    for field in headers {
      let name = field.name.canonicalName
      if name.hasPrefix("x-goog-encryption-") { throw refusal(name, encryption) }
      if name.hasPrefix("x-goog-object-lock-") { throw refusal(name, retention) }
      if name.hasPrefix("x-goog-copy-source") { throw refusal(name, copying) }
      if name == "x-goog-content-length-range" { throw refusal(name, limit) }
      if name == "x-goog-acl", field.value != "project-private" { throw refusal(name, sharing) }
    }
  }

  /// Refuses the options of an object's metadata.
  /// - Throws: `invalid`.
  static func check(_ metadata: StorageRoutes.Metadata) throws(HostError) {
    let options = [
      ("kmsKeyName", metadata.kmsKeyName, encryption),
      ("customerEncryption", metadata.customerEncryption, encryption), ("acl", metadata.acl, sharing),
      ("retention", metadata.retention, retention),
    ]
    for (name, value, reason) in options where value != nil { throw refusal(name, reason) }
    let holds = [("temporaryHold", metadata.temporaryHold), ("eventBasedHold", metadata.eventBasedHold)]
    for (name, value) in holds where value == true { throw refusal(name, retention) }
    if let value = metadata.contentEncoding, isCoded(value) { throw refusal("contentEncoding", coding) }
  }

  private static func isCoded(_ value: String) -> Bool {
    !value.isEmpty && value.lowercased() != "identity"
  }

  private static func refusal(_ name: String, _ reason: String) -> HostError {
    HostError(
      .invalid, "The upload has '\(name)', but \(reason)", remedy: "Remove it, and send the request again")
  }

  /// A value of any type, of which only the presence matters.
  struct Present: Decodable, Sendable {
    init(from decoder: any Decoder) {}
  }
}
#endif
