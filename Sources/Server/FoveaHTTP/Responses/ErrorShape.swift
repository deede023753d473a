// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
package import HTTPTypes

/// The error format of a caller's protocol.
package struct ErrorShape: Sendable {
  /// The content type of the reply.
  package let contentType: String
  /// Whether clients recognize only 400 for an image that cannot be read.
  private let knowsFewStatuses: Bool
  private let write: @Sendable (_ refusal: Refusal, _ json: inout JSONText) -> Void

  /// Creates a format from a function that writes its object's members, given a refusal with the reply's
  /// status.
  package init(
    contentType: String = "application/json; charset=utf-8", knowsFewStatuses: Bool = true,
    _ write: @escaping @Sendable (_ refusal: Refusal, _ json: inout JSONText) -> Void
  ) {
    self.contentType = contentType
    self.knowsFewStatuses = knowsFewStatuses
    self.write = write
  }

  /// The format of the servers' own routes:
  /// `{"error": {"code": "route-unknown", "message": "…", "remedy": "…"}}`.
  package static let native = ErrorShape(knowsFewStatuses: false) { refusal, json in
    json.member("error", refusal)
  }

  /// Returns the reply's status.
  package func status(of refusal: Refusal) -> HTTPResponse.Status {
    let isUnreadable = [.unsupportedMediaType, .unprocessableContent].contains(refusal.status)
    return knowsFewStatuses && isUnreadable ? .badRequest : refusal.status
  }

  /// Returns the reply's body.
  package func body(of refusal: Refusal) -> String {
    var shown = refusal
    shown.status = status(of: refusal)
    return JSONText.line { write(shown, &$0) }
  }
}
#endif
