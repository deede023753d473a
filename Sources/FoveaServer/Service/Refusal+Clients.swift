// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes

  // What the protocols of other servers have in common.
  extension Refusal {
    /// The refusal of a body that is not the JSON of its protocol.
    static func malformed(_ failure: JSONFailure, remedy: String) -> Refusal {
      Refusal(.badRequest, "request-malformed", failure.message, remedy: remedy)
    }

    /// The status for clients that know 400 alone for an image that cannot be read.
    var statusOfOthers: HTTPResponse.Status {
      status == .unsupportedMediaType || status == .unprocessableContent ? .badRequest : status
    }
  }
#endif
