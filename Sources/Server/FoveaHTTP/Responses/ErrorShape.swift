// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
package import HTTPTypes

/// The form of a reply to a request that is refused, by the protocol that its caller speaks.
package struct ErrorShape: Sendable {
  /// The type of the reply.
  package let contentType: String
  /// Whether clients read 400 alone where an image cannot be read.
  private let knowsFewStatuses: Bool
  private let write: @Sendable (_ refusal: Refusal, _ json: inout JSONText) -> Void

  /// Makes a form of what writes the members of its object, by a refusal with the status of the reply.
  package init(
    contentType: String = "application/json; charset=utf-8", knowsFewStatuses: Bool = true,
    _ write: @escaping @Sendable (_ refusal: Refusal, _ json: inout JSONText) -> Void
  ) {
    self.contentType = contentType
    self.knowsFewStatuses = knowsFewStatuses
    self.write = write
  }

  /// The form of the servers' own routes: `{"error": {"code": "route-unknown", "message": "…", "remedy": "…"}}`.
  package static let native = ErrorShape(knowsFewStatuses: false) { refusal, json in
    json.member("error", refusal)
  }

  /// The status of the reply.
  package func status(of refusal: Refusal) -> HTTPResponse.Status {
    let isUnreadable = [.unsupportedMediaType, .unprocessableContent].contains(refusal.status)
    return knowsFewStatuses && isUnreadable ? .badRequest : refusal.status
  }

  /// The body of the reply.
  package func body(of refusal: Refusal) -> String {
    var shown = refusal
    shown.status = status(of: refusal)
    return JSONText.line { write(shown, &$0) }
  }
}
#endif
