// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels

/// Decides after each try whether and when a message is sent to a web hook again.
struct WebhookRetry: Sendable {
  /// The end of a try.
  enum Answer: Sendable, Equatable {
    /// A status, and the pause that the web hook asks for, in seconds.
    case status(Int, retryAfter: Int? = nil)
    /// No answer within the time limit.
    case late
    /// No connection that TLS protects, with the reason.
    case notSecure(String)
    /// No answer, with the reason.
    case failed(String)

    /// The reason why the message is not taken; nil if it is.
    var failure: String? {
      switch self {
      case .status(200..<300, _): nil
      case .status(let status, _): "status \(status)"
      case .late: "no answer within \(WebhookRetry.patience.components.seconds) s"
      case .notSecure(let reason), .failed(let reason): reason
      }
    }

    /// The kind of the failure, without numbers that differ from try to try; nil if the message is taken.
    var kind: String? {
      if case .status = self { failure } else { remedy }
    }

    /// The next step for the operator after a failure.
    var remedy: String {
      switch self {
      case .status(300..<400, _): "Give the address that it leads to: redirects are not followed"
      case .status(401, _), .status(403, _):
        "Check the secret of the web hook, and the user or key in its address"
      case .status(404, _), .status(405, _), .status(410, _):
        "Check the path of the address: the receiver must take POST requests there"
      case .status: "Check the receiver's log"
      case .late: "Make the receiver answer first and work afterwards"
      case .notSecure(let reason):
        TLSFault(reason)?.remedy(
          authorities: HTTPTransfer.certificatesVariable(), withoutTLS: "http://")
          ?? "Check the TLS of the receiver"
      case .failed: "Check the address, and that the receiver runs"
      }
    }
  }

  enum Step: Sendable, Equatable {
    case end(EventOutput.Outcome)
    /// Again after some seconds.
    case again(Double)
  }

  /// The time limit for an answer.
  static let patience = Duration.seconds(30)
  /// The age in seconds at which a message is dropped.
  static let longestAge = 86_400.0
  /// The most tries if the web hook refuses a message.
  private static let mostRefusals = 5
  /// The longest pause in seconds that the web hook has not asked for.
  private static let longestPause = 300.0

  private var tries = 0
  private var refusals = 0

  /// Returns the step after a try.
  /// - Parameters:
  ///   - answer: The end of the try.
  ///   - age: The age of the message in seconds.
  ///   - jitter: A random number from 0 to 1, so that many senders do not return at the same moment.
  /// - Returns: The step.
  mutating func step(after answer: Answer, age: Double, jitter: Double) -> Step {
    var retryAfter = 0.0
    var isRefusal = false
    if case .status(let status, let seconds) = answer {
      if (200..<300).contains(status) { return .end(.sent) }
      isRefusal = status < 500 && status != 408 && status != 429
      retryAfter = Double(seconds ?? 0)
    }
    let pause = min(Double(1 << min(tries, 30)), WebhookRetry.longestPause) * (0.5 + jitter / 2)
    tries += 1
    if isRefusal {
      refusals += 1
      return refusals < WebhookRetry.mostRefusals ? .again(pause) : .end(.lost)
    }
    guard age < WebhookRetry.longestAge else { return .end(.lost) }
    return .again(max(pause, min(retryAfter, WebhookRetry.longestAge - age)))
  }
}
#endif
