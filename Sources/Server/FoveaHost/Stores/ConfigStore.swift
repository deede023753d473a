// SPDX-License-Identifier: Apache-2.0
#if Server
/// The store of the versions of a host's templates.
///
/// Each method is one transaction, durable across a power failure once it has returned.
package protocol ConfigStore: Sendable {
  /// Returns the template in force of each namespace of a project that has one.
  func currentConfigs(project: String) async throws(HostError) -> [StoredConfig]

  /// Stores a template as the next version, adds a row to the audit log, and removes versions past their
  /// retention.
  /// - Throws: `etag-mismatch` if the version in force is not the one the draft expects.
  func publish(_ draft: ConfigDraft, entry: AuditEntry) async throws(HostError) -> StoredConfig

  /// Returns versions without their templates, latest first.
  func configVersions(
    project: String, namespace: ConfigNamespace
  ) async throws(HostError) -> [ConfigVersion]

  /// Returns a version with its template; nil if there is none, or it has been removed.
  func config(
    project: String, namespace: ConfigNamespace, number: Int
  ) async throws(HostError) -> StoredConfig?
}

/// A version of a template.
package struct StoredConfig: Sendable, Equatable {
  package let namespace: ConfigNamespace
  package let version: ConfigVersion
  /// The template as JSON, without its version.
  package let text: String
}

/// A template to be stored as the next version.
package struct ConfigDraft: Sendable, Equatable {
  package var project: String
  package var namespace: ConfigNamespace
  package var text: String
  package var kind: ConfigVersion.Kind
  package var description: String?
  package var rollbackSource: Int?
  /// The expected number of the version in force, 0 for none; nil accepts any.
  package var expected: Int?
}
#endif
