// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes

/// The conditions on an object under which a request is carried out: Cloud Storage's preconditions, in the
/// query or in headers.
///
/// **Source:** Google Cloud Storage, "Request preconditions".
struct ObjectConditions: Sendable, Equatable {
  /// The required generation, 0 for no object of that name.
  var generation: Int64?
  /// The excluded generation, 0 for an object that must exist.
  var otherGeneration: Int64?
  /// The same condition for the generation of the metadata, which is always 1 here.
  var metageneration: Int64?
  var otherMetageneration: Int64?
  /// Entity tags as listed in `If-Match` and `If-None-Match`, with their quotes.
  var tags: String?
  var otherTags: String?

  /// Reads a query and headers.
  /// - Throws: `invalid` if a generation is not a whole number.
  init(_ query: RequestQuery, _ headers: HTTPFields) throws(HostError) {
    generation = try Self.number(query["ifGenerationMatch"] ?? headers[.xGoogIfGenerationMatch])
    otherGeneration = try Self.number(query["ifGenerationNotMatch"])
    metageneration = try Self.number(query["ifMetagenerationMatch"] ?? headers[.xGoogIfMetagenerationMatch])
    otherMetageneration = try Self.number(query["ifMetagenerationNotMatch"])
    tags = headers[.ifMatch].map(Self.quoted)
    otherTags = headers[.ifNoneMatch].map(Self.quoted)
  }

  /// The conditions on generations as the rest of a query.
  var query: String {
    [
      ("ifGenerationMatch", generation), ("ifGenerationNotMatch", otherGeneration),
      ("ifMetagenerationMatch", metageneration), ("ifMetagenerationNotMatch", otherMetageneration),
    ].map { name, number in number.map { "&\(name)=\($0)" } ?? "" }.joined()
  }

  /// Returns the number of a generation; nil if there is none.
  static func number(
    _ text: String?, of place: String = "The generation of a precondition"
  ) throws(HostError) -> Int64? {
    guard let text else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw .invalidUpload("\(place) is not a whole number")
    }
    return number
  }

  /// Checks the object of a name before it is written or removed.
  /// - Throws: `condition-failed`.
  func check(_ object: StoredObject?) throws(HostError) {
    guard mustHolds(object), mustNotHolds(object) else { throw Self.failed }
  }

  /// Checks an object before it is read.
  /// - Returns: Whether the caller already has it, according to the excluded generations and tags.
  /// - Throws: `condition-failed`.
  func isKnown(_ object: StoredObject) throws(HostError) -> Bool {
    guard mustHolds(object) else { throw Self.failed }
    return !mustNotHolds(object)
  }

  private func mustHolds(_ object: StoredObject?) -> Bool {
    if let generation, generation != object?.generation ?? 0 { return false }
    if let metageneration, metageneration != (object == nil ? 0 : 1) { return false }
    guard let tags else { return true }
    return object.map { EntityTags.allows(tags, "\"\($0.sha256)\"") } ?? false
  }

  private func mustNotHolds(_ object: StoredObject?) -> Bool {
    if let otherGeneration, otherGeneration == object?.generation ?? 0 { return false }
    if let otherMetageneration, otherMetageneration == (object == nil ? 0 : 1) { return false }
    guard let otherTags, let object else { return true }
    return !EntityTags.matches(otherTags, "\"\(object.sha256)\"")
  }

  /// Clients of the JSON API send tags as they have read them, without the quotes of HTTP.
  private static func quoted(_ tags: String) -> String {
    tags.split(separator: ",").map { tag in
      let tag = String(tag).trimmingBlanks
      return tag == "*" || tag.hasSuffix("\"") ? tag : "\"\(tag)\""
    }.joined(separator: ", ")
  }

  private static let failed = HostError(
    .conditionFailed, "The object does not meet the request's preconditions",
    remedy: "Read the object again, and send its generation",
    cause: WireText("At least one of the pre-conditions you specified did not hold."))
}

extension HTTPField.Name {
  static let xGoogIfGenerationMatch = HTTPField.Name(parsed: "x-goog-if-generation-match") ?? .eTag
  static let xGoogIfMetagenerationMatch = HTTPField.Name(parsed: "x-goog-if-metageneration-match") ?? .eTag
  static let xGoogGeneration = HTTPField.Name(parsed: "x-goog-generation") ?? .eTag
  static let xGoogMetageneration = HTTPField.Name(parsed: "x-goog-metageneration") ?? .eTag
  static let xGoogStoredContentLength = HTTPField.Name(parsed: "x-goog-stored-content-length") ?? .eTag
  static let xGoogContentSHA256 = HTTPField.Name(parsed: "x-goog-content-sha256") ?? .eTag
}
#endif
