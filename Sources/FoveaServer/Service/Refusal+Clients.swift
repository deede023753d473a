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
  }
#endif
