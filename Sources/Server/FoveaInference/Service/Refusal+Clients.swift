// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

// What the protocols of other servers have in common.
extension Refusal {
  /// The refusal of a body that is not the JSON of its protocol.
  static func malformed(_ failure: JSONFailure, remedy: String) -> Refusal {
    Refusal(.badRequest, "request-malformed", failure.message, remedy: remedy)
  }

  /// The refusal of a request that names an address where the bytes of an image are wanted.
  static func addressNotFetched(remedy: String) -> Refusal {
    Refusal(
      .badRequest, "url-not-fetched", "The request names an address, and nothing is fetched for a caller",
      remedy: remedy)
  }
}

extension ErrorShape {
  /// `{"error": "…"}`, as TF Serving, the Open Inference Protocol and DOODS.
  ///
  /// KServe's client reads the reason of a reply alone whose type has no parameter.
  static let text = ErrorShape(contentType: "application/json") { refusal, json in
    json.member("error", refusal.sentences)
  }
}
#endif
