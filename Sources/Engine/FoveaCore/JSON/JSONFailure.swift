// SPDX-License-Identifier: Apache-2.0

/// The reason why a JSON text cannot be read.
package struct JSONFailure: Error {
  /// The kinds of failure.
  package enum Kind: Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// The text is empty.
    case empty
    /// The bytes are not JSON.
    case notJSON
    /// The text is JSON, but a value is missing or of the wrong type.
    case mismatch
  }

  /// The kind of failure.
  package var kind: Kind
  /// The name of the text: a file's name in quotes.
  package var name: String
  /// The problem and its position, without the name and without a full stop.
  package var reason: String
  /// The path of a value that cannot be decoded, for example `images[3].id`; empty for the text as a whole.
  package var path = ""
  /// The correction, for errors with a remedy of their own; nil if the reason makes it clear.
  package var remedy: String?

  package init(_ kind: Kind, _ name: String, _ reason: String) {
    self.kind = kind
    self.name = name
    self.reason = reason
  }

  /// Creates the failure of a file that the system cannot read.
  package init(_ name: String, _ error: SystemError) { self.init(.unreadable, name, error.message) }

  /// The problem with the path of its value, without the name.
  package var located: String { path.isEmpty ? reason : "'\(path)': \(reason)" }

  /// The description of the failure, without a full stop.
  package var message: String {
    switch kind {
    case .unreadable: "\(name) cannot be read: \(reason)"
    case .empty, .notJSON: "\(name) is not JSON: \(reason)"
    case .mismatch: "\(name): \(reason)"
    }
  }
}
