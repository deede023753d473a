// SPDX-License-Identifier: Apache-2.0
#if Server
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
