// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The metadata of a published template: author, time and kind.
package struct ConfigVersion: Sendable, Codable, Equatable {
  /// The origin of a version.
  package enum Kind: String, Sendable, Codable {
    case update = "INCREMENTAL_UPDATE"
    /// Published without checking the version in force.
    case forced = "FORCED_UPDATE"
    case rollback = "ROLLBACK"
  }

  /// From 1.
  package var number: Int
  package var time: Timestamp
  package var kind: Kind
  /// The name of the key.
  package var author: String
  package var description: String?
  /// The version that a rollback restored.
  package var rollbackSource: Int?

  /// Writes it into an open object, in the form of Google's API.
  func write(to json: inout JSONText) {
    json.member("versionNumber", String(number))
    json.member("updateTime", time.text)
    json.member("updateUser") { $0.member("email", author) }
    json.member("updateOrigin", "REST_API")
    json.member("updateType", kind.rawValue)
    if let description { json.member("description", description) }
    if let rollbackSource { json.member("rollbackSource", String(rollbackSource)) }
  }
}
#endif
