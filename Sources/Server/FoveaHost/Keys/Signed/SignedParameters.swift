// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The parameters of a signed URL besides those of its signature.
///
/// **Source:** Google Cloud Storage, "Query parameters" of the XML API.
package struct SignedParameters: Sendable, Equatable {
  /// The type that the response has (`response-content-type`).
  package private(set) var contentType: String?
  /// The disposition that the response has (`response-content-disposition`).
  package private(set) var contentDisposition: String?

  /// Those that change a response, and so apply only to requests for the object's bytes.
  static let responses: Set<String> = ["response-content-type", "response-content-disposition"]
  /// Those that have no effect on the bytes of an object: `userProject` is the project that pays, and the
  /// host charges no one.
  private static let others: Set<String> = ["generation", "userProject", "userproject"]

  /// - Parameters:
  ///   - items: The names and values.
  ///   - method: The method of the request.
  /// - Throws: `invalid`, with the name of a parameter that the host does not support, or that has a control
  ///   character.
  init(_ items: [String: String], method: String) throws(HostError) {
    for (name, value) in items.sorted(by: { $0.key < $1.key }) where !Self.others.contains(name) {
      guard Self.responses.contains(name) else {
        throw Self.refusal(name, "which the host does not support")
      }
      guard ["GET", "HEAD"].contains(method) else {
        throw Self.refusal(name, "which applies only to GET and HEAD")
      }
      guard value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
        throw Self.refusal(name, "whose value has a control character")
      }
    }
    contentType = items["response-content-type"].flatMap { $0.isEmpty ? nil : $0 }
    contentDisposition = items["response-content-disposition"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func refusal(_ name: String, _ reason: String) -> HostError {
    HostError(
      .invalid, "The signed URL has the parameter \(HostName.shown(name)), \(reason)",
      remedy: "Sign a URL without it")
  }
}
#endif
