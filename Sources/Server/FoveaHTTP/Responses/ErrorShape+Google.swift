// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
import HTTPTypes

// The error format of Google's APIs, several of which are served.
extension ErrorShape {
  /// The common format of these APIs: `{"error": {"code": 404, "message": "…", "status": "NOT_FOUND"}}`.
  package static let google = ErrorShape { refusal, json in
    json.member("error") { json in
      json.member("code", refusal.status.code)
      json.member("message", refusal.exactMessage ?? refusal.sentences)
      json.member("status", refusal.googleStatus)
      // A fixed message contains nothing about this request.
      if refusal.exactMessage != nil { ErrorShape.writeDetails(refusal.sentences, to: &json) }
    }
  }

  /// Writes the message and the remedy as `details`, for protocols that fix the message itself.
  ///
  /// **Source:** google.rpc.LocalizedMessage in googleapis' error_details.proto.
  package static func writeDetails(_ text: String, to json: inout JSONText) {
    json.key("details")
    json.array { json in
      json.object { json in
        json.member("@type", "type.googleapis.com/google.rpc.LocalizedMessage")
        json.member("locale", "en")
        json.member("message", text)
      }
    }
  }
}

extension Refusal {
  /// The status's name in `google.rpc.Code`.
  fileprivate var googleStatus: String {
    switch status.code {
    case 400 where code == "etag-mismatch": "FAILED_PRECONDITION"
    case 401: "UNAUTHENTICATED"
    case 403: "PERMISSION_DENIED"
    case 404: "NOT_FOUND"
    case 405: "UNIMPLEMENTED"
    case 409: code == "already-exists" ? "ALREADY_EXISTS" : "ABORTED"
    case 412: "FAILED_PRECONDITION"
    case 416: "OUT_OF_RANGE"
    case 429, 507: "RESOURCE_EXHAUSTED"
    case 500: "INTERNAL"
    case 503: "UNAVAILABLE"
    case 504: "DEADLINE_EXCEEDED"
    default: status.code < 500 ? "INVALID_ARGUMENT" : "INTERNAL"
    }
  }
}
#endif
