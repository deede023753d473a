// SPDX-License-Identifier: Apache-2.0
#if Server
/// A row of the audit log: the author, the time and the content of a change.
package struct AuditEntry: Sendable, Codable, Equatable {
  /// The number of the row, increasing; 0 before it is stored.
  package var number: Int64 = 0
  package var time: Timestamp
  /// The name of the key.
  package var actor: String
  /// The action: `model.create`, `version.publish`, `channel.set`, `rollout.set`, `rollback`, `key.add` and
  /// others.
  package var action: String
  package var project: String
  /// The display name of the model, if the entry is about one.
  package var model: String?
  /// The state before the change, as text or JSON.
  package var before: String?
  package var after: String?

  package init(time: Timestamp, actor: String, action: String, project: String, model: String? = nil) {
    self.time = time
    self.actor = actor
    self.action = action
    self.project = project
    self.model = model
  }
}

/// An object of a bucket, as uploaded by Google's storage client.
package struct StoredObject: Sendable, Codable, Equatable {
  package let bucket: String
  package let name: String
  package let sha256: String
  package let size: Int64
  /// The CRC-32C (Castagnoli) checksum, sent as four big-endian bytes in base64.
  package let crc32c: UInt32
  /// Increases with each upload of the name.
  package var generation: Int64
  package let created: Timestamp
}

/// A key issued by the host; secrets are not included.
package struct HostKey: Sendable, Codable, Equatable {
  /// The role of a key, which determines its permissions.
  package enum Role: String, Sendable, Codable, CaseIterable { case admin, publisher, viewer, app }

  /// 40 hexadecimal digits: `kid` of a token, or the start of the digest of an app's key.
  package let id: String
  package let project: String
  package let role: Role
  /// `admin-1a2b@PROJECT.iam.gserviceaccount.com`; for an app's key, its first four characters.
  package let name: String
  /// PEM of the RSA public key; nil for an app's key.
  package let publicKey: String?
  /// The SHA-256 of an app's key in hexadecimal digits; nil for the others.
  package let digest: String?
  package let created: Timestamp
  package var expires: Timestamp?
  package var revoked: Timestamp?
  /// The label that its creator gave it, for example `ci of the app`; nil if there is none.
  package var label: String?

  package init(
    id: String, project: String, role: Role, name: String, publicKey: String?, digest: String?,
    created: Timestamp, expires: Timestamp? = nil, label: String? = nil
  ) {
    self.id = id
    self.project = project
    self.role = role
    self.name = name
    self.label = label
    self.publicKey = publicKey
    self.digest = digest
    self.created = created
    self.expires = expires
  }
}

/// A filter of the audit log; nil and empty fields match every row.
package struct AuditQuery: Sendable, Equatable {
  package var project: String
  /// A part of the name of the key.
  package var actor = ""
  /// The action, for example `version.publish`.
  package var action = ""
  /// The display name of the model.
  package var model = ""
  /// A string contained in one of the columns; ASCII letters match in both cases.
  package var text = ""
  /// The start of the period, and its end, which is excluded.
  package var from: Timestamp?
  package var until: Timestamp?
  /// Only rows before this number.
  package var below: Int64?
  /// Only rows after this number; a limit keeps the nearest.
  package var above: Int64?

  package init(project: String) { self.project = project }
}
#endif
