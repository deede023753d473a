// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
package import HTTPTypes

/// Why a request is not answered, in the words of a reply: status, code, what is wrong and what to do.
///
/// It holds nothing of the host's inside: no path, no stack, no other caller's name.
package struct Refusal: Error, Sendable, Equatable {
  package var status: HTTPResponse.Status
  /// In kebab case.
  package var code: String
  /// One sentence without a final stop.
  package var message: String
  /// What to do next; nil where the message says it.
  package var remedy: String?
  package var headers: HTTPFields = [:]
  /// The text that a protocol fixes, where it fixes one; else the message.
  package var exactMessage: String?

  package init(_ status: HTTPResponse.Status, _ code: String, _ message: String, remedy: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// The same, asking to come again after some seconds.
  package func retrying(after seconds: Int) -> Refusal {
    var refusal = self
    refusal.headers[.retryAfter] = String(seconds)
    return refusal
  }
}

extension Refusal {
  /// The client has closed its connection before the answer, often before the end of its request.
  ///
  /// It goes to logs and metrics: there is no one left to read it. The number is nginx's; RFC 9110 has none.
  package static let clientGone = Refusal(
    .init(code: 499, reasonPhrase: "Client Closed Request"), "cancelled", "The client has gone")
}

/// The form of a reply to a request that is refused, which depends on the protocol that the caller speaks.
package enum ErrorShape: Sendable, Equatable {
  /// `{"error": {"code": "route-unknown", "message": "…", "remedy": "…"}}`
  case native
  /// `{"error": {"code": 404, "message": "…", "status": "NOT_FOUND"}}`, as Google's APIs.
  case google
  /// `{"error": "…"}`, as TF Serving, the Open Inference Protocol and DOODS.
  case text
  /// `{"message": "…"}`, as Roboflow's server.
  case message
  /// `{"success": false, "error": "…", "code": 404}`, as DeepStack.
  case success
  /// `{"error": "invalid_grant", "error_description": "…"}`, as RFC 6749 section 5.2.
  case oauth

  /// The type of the reply; KServe's client reads the reason of one alone whose type has no parameter.
  package var contentType: String {
    self == .text ? "application/json" : "application/json; charset=utf-8"
  }

  /// The status of the reply: 400 for an image that cannot be read, where clients know nothing else.
  package func status(of refusal: Refusal) -> HTTPResponse.Status {
    switch self {
    case .native, .oauth: return refusal.status
    case .google, .text, .message, .success:
      let isUnreadable =
        refusal.status == .unsupportedMediaType || refusal.status == .unprocessableContent
      return isUnreadable ? .badRequest : refusal.status
    }
  }

  /// The body of the reply.
  package func body(of refusal: Refusal) -> String {
    var json = JSONText()
    json.object { json in
      switch self {
      case .native:
        json.member("error", refusal)
      case .google:
        json.member("error") { json in
          json.member("code", status(of: refusal).code)
          json.member("message", refusal.exactMessage ?? refusal.sentences)
          json.member("status", refusal.googleStatus)
          // A fixed text says nothing about this request.
          if refusal.exactMessage != nil { ErrorShape.writeDetails(refusal.sentences, to: &json) }
        }
      case .text: json.member("error", refusal.sentences)
      case .message: json.member("message", refusal.sentences)
      case .success:
        json.member("success", false)
        json.member("error", refusal.sentences)
        json.member("code", status(of: refusal).code)
      case .oauth:
        json.member("error", refusal.status.code >= 500 ? "server_error" : "invalid_grant")
        json.member("error_description", refusal.sentences)
      }
    }
    json.endLine()
    return json.text
  }

  /// Writes what is wrong and what to do as `details`, where the protocol fixes the message itself.
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

extension Refusal: JSONWritable {
  /// `{"code": "route-unknown", "message": "…", "remedy": "…"}`.
  package func append(to json: inout JSONText) {
    json.object { json in
      json.member("code", code)
      json.member("message", message)
      if let remedy { json.member("remedy", remedy) }
    }
  }
}

extension Refusal {
  /// Message and remedy, for protocols with one text.
  package var sentences: String {
    guard let remedy else { return message }
    return "\(message.sentence) \(remedy.sentence)"
  }

  /// The name of the status in Google's APIs, `google.rpc.Code`.
  package var googleStatus: String {
    switch status.code {
    case 400 where code == "etag-mismatch": "FAILED_PRECONDITION"
    case 401: "UNAUTHENTICATED"
    case 403: "PERMISSION_DENIED"
    case 404, 405: "NOT_FOUND"
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
