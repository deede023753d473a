// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The exact text that Google's service answers with, which its clients' tests compare; it travels as the cause of a
/// ``HostError``.
package struct WireText: Error, Equatable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static let entityNotFound = WireText("Requested entity was not found.")
  package static let invalidArgument = WireText("Request contains an invalid argument.")
  package static let notVerified = WireText("Cannot publish a model that is not verified.")
  package static func exists(_ name: String) -> WireText { WireText("Model '\(name)' already exists") }
  package static func modelNotFound(project: String, id: String) -> WireText {
    WireText("Model 'projects/\(project)/models/\(id)' was not found")
  }
}

extension HostError {
  /// What a client of Google's reads: the text that it expects, else message and remedy.
  package var wireText: String {
    (cause as? WireText)?.text ?? "\(message.sentence) \(remedy.description.sentence)"
  }
}
#endif
