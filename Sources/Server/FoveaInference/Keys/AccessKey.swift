// SPDX-License-Identifier: Apache-2.0
#if Server
/// A key of a server of images, as its file keeps it: without the secret.
package struct AccessKey: Sendable, Equatable {
  /// What a key may do.
  package enum Scope: String, Sendable, CaseIterable {
    /// Send images, and list the models.
    case infer
    /// Follow objects over a WebSocket.
    case live
    /// Watch the sources of the server.
    case streams
    /// Load, unload and go back.
    case models
    /// Read the metrics.
    case metrics
  }

  package let name: String
  /// The SHA-256 of the secret, 64 hexadecimal digits in lower case.
  package let digest: String
  package let scopes: Set<Scope>
  /// The most requests in a second; nil for no limit.
  package let rate: Double?

  /// Whether a key can be called so: the name stands in its file, in errors and in the log.
  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.count) && text.contains { $0 != " " }
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
#endif
