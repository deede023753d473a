// SPDX-License-Identifier: Apache-2.0
#if Server
/// An access key of an inference server, as stored in its file: without the secret.
package struct AccessKey: Sendable, Equatable {
  /// The rights of a key.
  package enum Scope: String, Sendable, CaseIterable {
    /// Send images and list the models.
    case infer
    /// Follow objects over a WebSocket.
    case live
    /// Watch the server's sources, and read their events.
    case streams
    /// Load, unload and roll back models.
    case models
    /// Read the metrics.
    case metrics
  }

  package let name: String
  /// The SHA-256 of the secret, 64 hexadecimal digits in lower case.
  package let digest: String
  package let scopes: Set<Scope>
  /// The maximum number of requests per second; nil for no limit.
  package let rate: Double?

  /// Returns whether the text can be a key's name, which appears in its file, in errors and in the log.
  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.count) && text.contains { $0 != " " }
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
#endif
