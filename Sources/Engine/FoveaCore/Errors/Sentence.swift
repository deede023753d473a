// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text of a message or a remedy as a sentence: with a full stop, which a question goes without, and a text that has one.
  package var sentence: String { hasSuffix("?") || hasSuffix(".") ? self : self + "." }
}
