// SPDX-License-Identifier: Apache-2.0
#if Server
/// Where a host keeps everything but the bytes of files: models, keys, objects, the audit log.
///
/// Each method is one transaction that outlives a power failure once it has returned, and calls for one model are
/// linearizable. No other type names a database.
package protocol MetadataStore: Sendable {
  /// Every model of every project.
  func models() async throws(HostError) -> [HostModel]

  /// Adds a model and a row of the audit log.
  ///
  /// What `condition` throws is thrown, and nothing changes.
  /// - Throws: `already-exists` where the project has a model of that name.
  func create(
    _ model: HostModel, entry: AuditEntry, if condition: @escaping KeyCheck
  ) async throws(HostError)

  /// Loads a model, lets `body` change it, stores it with the next revision, and adds a row of the audit log.
  ///
  /// Nothing is stored if `body` throws or changes nothing.
  /// - Returns: The model as it is stored, and what `body` returned.
  /// - Throws: `not-found` for an unknown model; `already-exists` for a new name that is taken; what `body` throws.
  @discardableResult
  func change<Value: Sendable>(
    project: String, id: String, entry: AuditEntry,
    _ body: @escaping @Sendable (inout HostModel) throws(HostError) -> Value
  ) async throws(HostError) -> (model: HostModel, value: Value)

  /// Removes a model and its versions.
  /// - Throws: `not-found` where there is no such model.
  func delete(project: String, id: String, entry: AuditEntry) async throws(HostError)

  /// Rows of the audit log, the latest first.
  func audit(project: String, model: String?, limit: Int) async throws(HostError) -> [AuditEntry]
  /// Those that a query asks for, the latest first.
  func audit(_ query: AuditQuery, limit: Int) async throws(HostError) -> [AuditEntry]
  /// How many a query asks for.
  func auditCount(_ query: AuditQuery) async throws(HostError) -> Int
  /// Everything that was ever done in a project, each once.
  func auditActions(project: String) async throws(HostError) -> [String]

  /// An uploaded object by bucket and name.
  func object(bucket: String, name: String) async throws(HostError) -> StoredObject?
  /// Adds an object, or takes the place of the one of that name.
  ///
  /// `condition` gets the object of that name, nil where there is none; what it throws is thrown, and nothing changes.
  /// - Returns: The object; its generation is greater than that of the one before, whatever the clock says.
  @discardableResult
  func put(
    _ object: StoredObject, if condition: @escaping @Sendable (StoredObject?) throws(HostError) -> Void
  ) async throws(HostError) -> StoredObject
  /// Removes an object, where `condition` allows it as for ``put(_:if:)``; its bytes go when nothing else names them.
  func removeObject(
    bucket: String, name: String,
    if condition: @escaping @Sendable (StoredObject?) throws(HostError) -> Void
  ) async throws(HostError)
  /// Objects in the order of the bytes of their names: at most `limit` after a name, whose names begin with `prefix`.
  func objects(
    bucket: String, prefix: String, after name: String, limit: Int
  ) async throws(HostError) -> [StoredObject]
  /// Removes the objects older than a time whose bytes no version names: these are kept no longer.
  func removeObjects(before time: Timestamp) async throws(HostError)

  /// Every key, revoked and expired ones too.
  func keys() async throws(HostError) -> [HostKey]
  /// Adds a key and a row of the audit log that says which.
  func add(_ key: HostKey, entry: AuditEntry) async throws(HostError)
  /// Makes a key void, with a row of the audit log that says which; nothing changes where it is void already.
  /// - Throws: `not-found` where there is no such key; `precondition` for the last one of an administrator, without which
  ///   there would be none to make another; others that end within a day, and before it, do not count.
  func revoke(key id: String, at time: Timestamp, entry: AuditEntry) async throws(HostError)

  /// Adds a row of the audit log, for what is kept elsewhere.
  func note(_ entry: AuditEntry) async throws(HostError)

  /// SHA-256 of every file that a version names, withdrawn ones not, or an object younger than `objectsSince`.
  func hashesInUse(objectsSince: Timestamp) async throws(HostError) -> Set<String>

  /// Writes a copy of the whole store to a new file while others go on reading and writing.
  func backUp(to path: String) async throws(HostError)
  /// What is wrong with the store; empty where nothing is.
  func problems() async throws(HostError) -> [String]
  /// Whether it can be read and written just now.
  func isReady() async -> Bool

  /// Whether it answers reads, also where nothing can be written.
  func isReadable() async -> Bool
}

/// Who changed what, and when.
package struct AuditEntry: Sendable, Codable, Equatable {
  /// Grows from row to row; 0 before it is stored.
  package var number: Int64 = 0
  package var time: Timestamp
  /// Name of the key.
  package var actor: String
  /// What was done, as `model.create`, `version.publish`, `channel.set`, `rollout.set`, `rollback` or `key.add`.
  package var action: String
  package var project: String
  /// Display name of the model, where it is about one.
  package var model: String?
  /// What was there before, in words or JSON.
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

/// An object of a bucket, as Google's storage client uploads it.
package struct StoredObject: Sendable, Codable, Equatable {
  package let bucket: String
  package let name: String
  package let sha256: String
  package let size: Int64
  /// Castagnoli's checksum, of which the wire shows four big-endian bytes in base64.
  package let crc32c: UInt32
  /// Grows with each upload of the name.
  package var generation: Int64
  package let created: Timestamp
}

/// A key that the host has given out; secrets are not in it.
package struct HostKey: Sendable, Codable, Equatable {
  /// What a key may do.
  package enum Role: String, Sendable, Codable, CaseIterable { case admin, publisher, viewer, app }

  /// 40 hexadecimal digits: `kid` of a token, first characters of the digest of an app's key.
  package let id: String
  package let project: String
  package let role: Role
  /// `admin-1a2b@PROJECT.iam.gserviceaccount.com`; for an app's key, its first four characters.
  package let name: String
  /// PEM of the RSA public key; nil for an app's key.
  package let publicKey: String?
  /// SHA-256 of an app's key in hexadecimal digits; nil for the others.
  package let digest: String?
  package let created: Timestamp
  package var expires: Timestamp?
  package var revoked: Timestamp?
  /// What the one who made it calls it, as `ci of the app`; nil where it has no such name.
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

/// Which rows of the audit log are asked for; what is nil or empty leaves none out.
package struct AuditQuery: Sendable, Equatable {
  package var project: String
  /// Part of the name of the key.
  package var actor = ""
  /// What was done, as `version.publish`.
  package var action = ""
  /// Display name of the model.
  package var model = ""
  /// A text that is in one of the columns; ASCII letters are the same in both cases.
  package var text = ""
  /// The first moment, and the first one after the last.
  package var from: Timestamp?
  package var until: Timestamp?
  /// Rows of before this number.
  package var below: Int64?
  /// Rows of after this number, the nearest of them.
  package var above: Int64?

  package init(project: String) { self.project = project }
}
#endif
