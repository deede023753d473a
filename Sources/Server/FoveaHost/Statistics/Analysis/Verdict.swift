// SPDX-License-Identifier: Apache-2.0

/// What may be said about a variant against the control.
package enum Verdict: String, Sendable, Codable {
  case better, worse, open
  /// The shares of the arms are off: nothing may be said.
  case hidden
}
