// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Who published a template, when and how.
package struct ConfigVersion: Sendable, Codable, Equatable {
  /// How a version came to be.
  package enum Kind: String, Sendable, Codable {
    case update = "INCREMENTAL_UPDATE"
    /// Whatever was there before.
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
  /// The version that a rollback has brought back.
  package var rollbackSource: Int?

  /// Writes it into an object that is open, as Google's API shows it.
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
