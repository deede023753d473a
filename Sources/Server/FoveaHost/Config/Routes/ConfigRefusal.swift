// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Why a template is not published, as Google's service says it: a word in brackets comes before the text.
///
/// **Source:** `RemoteConfigErrorCode` of Firebase's Admin SDK for Java, and PyPI's `firebase-remote-config` 0.3.1, which
/// read the word.
enum ConfigRefusal {
  /// Does a change of a template, whose refusal has the word.
  ///
  /// A template that was changed since is answered with 400 where the path names no namespace, as Google's clients ask, and
  /// with 412 where it does, as the discovery document of that API has it.
  static func telling<Value>(
    _ context: HTTPContext, _ body: () async throws(HostError) -> Value
  ) async throws -> Value {
    do throws(HostError) { return try await body() } catch {
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
