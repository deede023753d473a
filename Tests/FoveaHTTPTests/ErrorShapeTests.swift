// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Testing

@Suite struct ErrorShapeTests {
  private static func refusal(_ status: HTTPResponse.Status, exact: String? = nil) -> Refusal {
    var refusal = Refusal(status, "some-code", "It is \"so\"", remedy: "Try again")
    refusal.exactMessage = exact
    return refusal
  }

  private static let plain = ErrorShape(contentType: "text/x") { refusal, json in
    json.member("status", refusal.status.code)
  }

  private static let bodies: [(shape: ErrorShape, refusal: Refusal, status: Int, body: String)] = [
    (
      .native, refusal(.notFound), 404,
      #"{"error": {"code": "some-code", "message": "It is \"so\"", "remedy": "Try again"}}"#
    ),
    (
      .native, Refusal(.unsupportedMediaType, "a", "B"), 415, #"{"error": {"code": "a", "message": "B"}}"#
    ),
    (
      .google, refusal(.notFound), 404,
      #"{"error": {"code": 404, "message": "It is \"so\". Try again.", "status": "NOT_FOUND"}}"#
    ),
    (
      .google, refusal(.methodNotAllowed), 405,
      #"{"error": {"code": 405, "message": "It is \"so\". Try again.", "status": "UNIMPLEMENTED"}}"#
    ),
    (
      .google, refusal(.unprocessableContent), 400,
      #"{"error": {"code": 400, "message": "It is \"so\". Try again.", "status": "INVALID_ARGUMENT"}}"#
    ),
    (
      .google, refusal(.serviceUnavailable, exact: "Fixed"), 503,
      #"{"error": {"code": 503, "message": "Fixed", "status": "UNAVAILABLE", "details": [{"@type": "type.googleapis.com/google.rpc.LocalizedMessage", "locale": "en", "message": "It is \"so\". Try again."}]}}"#
    ),
    (plain, refusal(.unsupportedMediaType), 400, #"{"status": 400}"#),
    (plain, refusal(.tooManyRequests), 429, #"{"status": 429}"#),
  ]

  @Test func `a rejection has the status and the body of its form`() {
    for (shape, refusal, status, body) in Self.bodies {
      #expect(shape.status(of: refusal).code == status, "\(body)")
      #expect(shape.body(of: refusal) == body + "\n")
    }
    #expect(Self.plain.contentType == "text/x")
    #expect(ErrorShape.native.contentType == "application/json; charset=utf-8")
  }
}
#endif
