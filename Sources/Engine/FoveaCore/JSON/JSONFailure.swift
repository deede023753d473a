// SPDX-License-Identifier: Apache-2.0

/// Why a JSON text cannot be read.
package struct JSONFailure: Error {
  /// What is wrong with it.
  package enum Kind: Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// There are no bytes at all.
    case empty
    /// The bytes are not JSON.
    case notJSON
    /// The text is JSON and lacks a value, or has one of another kind than is needed.
    case mismatch
  }

  /// What is wrong.
  package var kind: Kind
  /// What the text is called: a file's name in quotes.
  package var name: String
  /// What is wrong and where, without the name and without a final stop.
  package var reason: String
  /// Where a value is that cannot be decoded, for example `images[3].id`; empty for the text as a whole.
  package var path = ""

  package init(_ kind: Kind, _ name: String, _ reason: String) {
    self.kind = kind
    self.name = name
    self.reason = reason
  }

  /// A file that the system does not read.
  package init(_ name: String, _ error: SystemError) { self.init(.unreadable, name, error.message) }

  /// What happened, without a final stop.
  package var message: String {
    switch kind {
    case .unreadable: "\(name) cannot be read: \(reason)"
    case .empty, .notJSON: "\(name) is not JSON: \(reason)"
    case .mismatch: "\(name): \(reason)"
    }
  }
}
