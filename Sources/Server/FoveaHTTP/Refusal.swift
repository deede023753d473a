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

extension Refusal: JSONObject {
  /// `{"code": "route-unknown", "message": "…", "remedy": "…"}`.
  package func appendMembers(to json: inout JSONText) {
    json.member("code", code)
    json.member("message", message)
    if let remedy { json.member("remedy", remedy) }
  }
}

extension Refusal {
  /// Message and remedy, for protocols with one text.
  package var sentences: String {
    guard let remedy else { return message }
    return "\(message.sentence) \(remedy.sentence)"
  }
}
#endif
