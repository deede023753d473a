// SPDX-License-Identifier: Apache-2.0
#if Server
/// Why a text is no expression of a condition.
package struct ExpressionFailure: Error, Equatable {
  /// The number of the character, from 1.
  package let position: Int
  /// What is wrong, without a final stop.
  package let reason: String

  /// As `at character 14: …`.
  package var text: String { "at character \(position): \(reason)" }
}
#endif
