// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
package import HTTPTypes

/// The refusal of a request for its reply: status, code, message and remedy.
///
/// It contains no internals of the host: no path, no stack, no other caller's name.
package struct Refusal: Error, Sendable, Equatable {
  package var status: HTTPResponse.Status
  /// The code, in kebab case.
  package var code: String
  /// A sentence without a final period.
  package var message: String
  /// The next step; nil if the message already states it.
  package var remedy: String?
  package var headers: HTTPFields = [:]
  /// The text fixed by a protocol, if any; otherwise the message is used.
  package var exactMessage: String?

  package init(_ status: HTTPResponse.Status, _ code: String, _ message: String, remedy: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Returns the same refusal, asking to retry after some seconds.
  package func retrying(after seconds: Int) -> Refusal {
    var refusal = self
    refusal.headers[.retryAfter] = String(seconds)
    return refusal
  }
}

extension Refusal {
  /// The client has closed its connection before the answer, often before the end of its request.
  ///
  /// It is only for logs and metrics, since the client is gone. The number is nginx's; RFC 9110 has none.
  package static let clientGone = Refusal(
    .init(code: 499, reasonPhrase: "Client Closed Request"), "cancelled", "The client has disconnected")
}

extension Refusal: JSONObject {
  /// `{"code": "route-unknown", "message": "…", "remedy": "…"}`.
  package func appendMembers(to json: inout JSONText) {
    json.member("code", code)
    json.member("message", message)
    if let remedy { json.member("remedy", remedy) }
  }
}

extension Refusal {
  /// The message and the remedy, for protocols with a single text.
  package var sentences: String {
    guard let remedy else { return message }
    return "\(message.sentence) \(remedy.sentence)"
  }
}
#endif
