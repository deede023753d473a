// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The reason why a template is not published, in the form of Google's service: a word in brackets before the
/// text.
///
/// **Source:** `RemoteConfigErrorCode` of Firebase's Admin SDK for Java, and PyPI's `firebase-remote-config`
/// 0.3.1, which read the word.
enum ConfigRefusal {
  /// Runs a change of a template; adds the word to its refusal.
  ///
  /// If the template has changed meanwhile, answers 400 for a path without a namespace, as Google's clients
  /// require, and 412 for a path with a namespace, according to that API's discovery document.
  static func telling<Value>(
    _ context: HTTPContext, _ body: () async throws -> Value
  ) async throws -> Value {
    do { return try await body() } catch let error as HostError {
      var refusal = error.refusal
      switch error.code {
      case .etagMismatch:
        refusal.exactMessage = "[VERSION_MISMATCH]: \(refusal.sentences)"
        if context.parameters.get("namespace") == nil { refusal.status = .badRequest }
      case .invalid: refusal.exactMessage = "[VALIDATION_ERROR]: \(refusal.sentences)"
      default: break
      }
      throw refusal
    }
  }
}
#endif
