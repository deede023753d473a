// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

// Refusals shared by the protocols of other servers.
extension Refusal {
  /// Returns the refusal of a body that is not its protocol's JSON.
  static func malformed(_ failure: JSONFailure, remedy: String) -> Refusal {
    Refusal(.badRequest, "request-malformed", failure.message, remedy: remedy)
  }

  /// Returns the refusal of a request with an address instead of an image's bytes.
  static func addressNotFetched(remedy: String) -> Refusal {
    Refusal(
      .badRequest, "url-not-fetched", "The request has an address, but the server does not fetch images",
      remedy: remedy)
  }
}

extension ErrorShape {
  /// `{"error": "…"}`, as in TF Serving, the Open Inference Protocol and DOODS.
  ///
  /// KServe's client reads the reason only if the content type has no parameter.
  static let text = ErrorShape(contentType: "application/json") { refusal, json in
    json.member("error", refusal.sentences)
  }
}
#endif
