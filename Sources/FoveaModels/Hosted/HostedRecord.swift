// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// What `current.json` says of a hosted model: which version is in use, and where it came from.
struct HostedRecord: Codable, Hashable {
  var layout = StoreLayout.version
  /// The first 16 digits of the SHA-256.
  var version: String
  /// The version that was in use before and is still there.
  var previous: String?
  var bytes: Int
  var sha256: String
  var source: String
  var validator: HTTPValidator

  init(bytes: Int, sha256: String, source: String, validator: HTTPValidator) {
    version = StoreLayout.version(sha256: sha256)
    self.bytes = bytes
    self.sha256 = sha256
    self.source = source
    self.validator = validator
  }

  /// Reads a record; nothing in it leads out of the model's folder.
  /// - Throws: `damagedModel`.
  init(json: [UInt8], name: String, path: String) throws(ModelStoreError) {
    do {
      self = try UntrustedJSON().decode(HostedRecord.self, from: json[...])
    } catch {
      throw Self.damaged(name, "'\(path)' is not what was written: \(error.reason)")
    }
    guard layout == StoreLayout.version, ModelName.isChecksum(sha256), bytes > 0,
      version == StoreLayout.version(sha256: sha256), previous.map(ModelName.isFileName) ?? true
    else { throw Self.damaged(name, "'\(path)' is not what was written") }
  }

  static func damaged(_ name: String, _ what: String) -> ModelStoreError {
    ModelStoreError(
      .damagedModel, "The downloaded model '\(name)' is damaged: \(what)",
      remedy: "Download it again with ModelManager.modelManager().download(_:conditions:)", modelName: name)
  }
}
