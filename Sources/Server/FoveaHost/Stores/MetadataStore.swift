// SPDX-License-Identifier: Apache-2.0
#if Server
/// The host's database: models, keys, objects and the audit log; everything but the bytes of files.
///
/// Each method is one transaction, durable across a power failure once it has returned, and calls for one
/// model are linearizable. No other type names a database.
package protocol MetadataStore: Sendable {
  /// Returns every model of every project.
  func models() async throws(HostError) -> [HostModel]

  /// Adds a model and a row to the audit log.
  ///
  /// An error of `condition` is rethrown, and nothing changes.
  /// - Throws: `already-exists` if the project has a model of that name.
  func create(
    _ model: HostModel, entry: AuditEntry, if condition: @escaping KeyCheck
  ) async throws(HostError)

  /// Loads a model, lets `body` change it, stores it with the next revision, and adds a row to the audit log.
  ///
  /// Stores nothing if `body` throws or changes nothing.
  /// - Returns: The model as stored, and the result of `body`.
  /// - Throws: `not-found` for an unknown model; `already-exists` for a taken name; any error that `body`
  ///   throws.
  @discardableResult
  func change<Value: Sendable>(
    project: String, id: String, entry: AuditEntry,
    _ body: @escaping @Sendable (inout HostModel) throws(HostError) -> Value
  ) async throws(HostError) -> (model: HostModel, value: Value)

  /// Removes a model and its versions.
  /// - Throws: `not-found` for an unknown model.
  func delete(project: String, id: String, entry: AuditEntry) async throws(HostError)

  /// Returns rows of the audit log, latest first.
  func audit(project: String, model: String?, limit: Int) async throws(HostError) -> [AuditEntry]
  /// Returns the rows that match a query, latest first.
  func audit(_ query: AuditQuery, limit: Int) async throws(HostError) -> [AuditEntry]
  /// Returns the number of rows that match a query.
  func auditCount(_ query: AuditQuery) async throws(HostError) -> Int
  /// Returns the distinct actions of a project's audit log.
  func auditActions(project: String) async throws(HostError) -> [String]

  /// Returns an uploaded object by bucket and name.
  func object(bucket: String, name: String) async throws(HostError) -> StoredObject?
  /// Adds an object, or replaces the object of the same name.
  ///
  /// `condition` gets the existing object, nil if there is none; its error is rethrown, and nothing changes.
  /// - Returns: The object; its generation is greater than the previous object's, independent of the clock.
  @discardableResult
  func put(
    _ object: StoredObject, if condition: @escaping @Sendable (StoredObject?) throws(HostError) -> Void
  ) async throws(HostError) -> StoredObject
  /// Removes an object if `condition` allows it, as for ``put(_:if:)``; its bytes are removed when nothing
  /// else uses them.
  func removeObject(
    bucket: String, name: String,
    if condition: @escaping @Sendable (StoredObject?) throws(HostError) -> Void
  ) async throws(HostError)
  /// Returns objects in the byte order of their names: at most `limit` after a name, whose names begin with
  /// `prefix`.
  func objects(
    bucket: String, prefix: String, after name: String, limit: Int
  ) async throws(HostError) -> [StoredObject]
  /// Removes objects older than a time whose bytes no version uses.
  func removeObjects(before time: Timestamp) async throws(HostError)

  /// Returns every key, including revoked and expired ones.
  func keys() async throws(HostError) -> [HostKey]
  /// Adds a key and a row about it to the audit log.
  func add(_ key: HostKey, entry: AuditEntry) async throws(HostError)
  /// Revokes a key and adds a row about it to the audit log; changes nothing if it is already revoked.
  /// - Throws: `not-found` for an unknown key; `precondition` for the last administrator's key, without which
  ///   no key could be created. Other administrators' keys that expire within a day, and before this one, are
  ///   ignored.
  func revoke(key id: String, at time: Timestamp, entry: AuditEntry) async throws(HostError)

  /// Adds a row to the audit log about something kept elsewhere.
  func note(_ entry: AuditEntry) async throws(HostError)

  /// Returns the SHA-256 of every file used by a version, unless withdrawn, or by an object younger than
  /// `objectsSince`.
  func hashesInUse(objectsSince: Timestamp) async throws(HostError) -> Set<String>

  /// Writes a copy of the whole store to a new file while other calls read and write.
  func backUp(to path: String) async throws(HostError)
  /// Returns the problems with the store; empty if there are none.
  func problems() async throws(HostError) -> [String]
  /// Returns whether it can be read and written now.
  func isReady() async -> Bool

  /// Returns whether reads succeed, even if writes fail.
  func isReadable() async -> Bool
}

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
