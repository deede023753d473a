// SPDX-License-Identifier: Apache-2.0
#if Server
/// Where a host keeps the versions of its templates.
///
/// Each method is one transaction that outlives a power failure once it has returned.
package protocol ConfigStore: Sendable {
  /// The template in force of each namespace of a project that has one.
  func currentConfigs(project: String) async throws(HostError) -> [StoredConfig]

  /// Makes a template the next version, adds a row of the audit log, and removes versions that are not kept.
  /// - Throws: `etag-mismatch` where another version is in force than the draft expects.
  func publish(_ draft: ConfigDraft, entry: AuditEntry) async throws(HostError) -> StoredConfig

  /// Versions without their templates, the latest first.
  func configVersions(
    project: String, namespace: ConfigNamespace
  ) async throws(HostError) -> [ConfigVersion]

  /// A version with its template; nil where there is none, or none any more.
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

/// A template that is to be the next version.
package struct ConfigDraft: Sendable, Equatable {
  package var project: String
  package var namespace: ConfigNamespace
  package var text: String
  package var kind: ConfigVersion.Kind
  package var description: String?
  package var rollbackSource: Int?
  /// The number of the version that is in force, 0 for none; nil takes any.
  package var expected: Int?
}
#endif
