// SPDX-License-Identifier: Apache-2.0
#if Server
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
