// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import FoveaHTTP
import HTTPTypes

extension HostError {
  /// The response to a caller that causes this error.
  package var refusal: Refusal {
    var refusal = Refusal(status, code.rawValue, message, remedy: remedy.description)
    refusal.exactMessage = (cause as? WireText)?.text
    if status == .serviceUnavailable || status == .tooManyRequests || code == .diskFull {
      refusal = refusal.retrying(after: 5)
    }
    if status == .unauthorized { refusal.headers[.wwwAuthenticate] = "Bearer" }
    return refusal
  }

  private var status: HTTPResponse.Status {
    switch code {
    case .invalid, .expired, .corrupted, .precondition: .badRequest
    case .notFound: .notFound
    case .alreadyExists, .conflict: .conflict
    case .etagMismatch, .conditionFailed: .preconditionFailed
    case .unauthenticated: .unauthorized
    case .forbidden: .forbidden
    case .tooLarge: .contentTooLarge
    case .diskFull: .init(code: 507, reasonPhrase: "Insufficient Storage")
    case .unavailable: .serviceUnavailable
    case .rateLimited: .tooManyRequests
    case .cancelled: Refusal.clientGone.status
    default: .internalServerError
    }
  }

  /// The gRPC status code in an operation's error.
  package var rpcCode: Int {
    switch code {
    case .invalid, .corrupted, .tooLarge, .expired: 3
    case .notFound: 5
    case .alreadyExists: 6
    case .forbidden: 7
    case .cancelled: 1
    case .diskFull, .rateLimited: 8
    case .precondition, .etagMismatch, .conditionFailed: 9
    case .conflict: 10
    case .unavailable: 14
    case .unauthenticated: 16
    default: 13
    }
  }

  /// The error if nothing waits for the response.
  static var cancelled: HostError {
    HostError(
      .cancelled, "The caller disconnected, or the host shut down, before the file was checked",
      remedy: "Send the file again")
  }

  /// The error of a publish that was cancelled.
  static var publishCancelled: HostError {
    HostError(
      .cancelled, "The publish was cancelled: nothing was published",
      remedy: "Publish the file again if you still want it")
  }

  /// The error of a publish that the end of the host has cut short.
  static var publishStopped: HostError {
    HostError(
      .unavailable, "The host shuts down, and the file was not checked before: nothing was published",
      remedy: "Publish the file again once the host runs")
  }

  /// The error of Google's service for a resource that does not exist.
  static var entityNotFound: HostError {
    HostError(
      .notFound, "Requested entity was not found", remedy: "Check its name and the project",
      cause: WireText.entityNotFound)
  }

  /// The error of an upload that does not match Cloud Storage's documentation; its clients show the text
  /// unchanged.
  static func invalidUpload(_ what: String) -> HostError {
    HostError(.invalid, what, remedy: "Correct the request, and send it again")
  }

  /// The error of Google's service for an invalid argument.
  static func invalidArgument(_ what: String) -> HostError {
    HostError(.invalid, what, remedy: "Correct the request", cause: WireText.invalidArgument)
  }
}
#endif
