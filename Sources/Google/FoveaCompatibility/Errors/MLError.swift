// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore

/// The error of a failed call to ML Kit's or Firebase ML's API: what happened, and what to do next.
///
/// Google's libraries raise an exception in some of these cases, which Swift cannot catch; this error is
/// thrown instead, with the exception's text.
public struct MLError: Error, Sendable {
  /// The error code.
  public var code: Code
  /// What happened, as a sentence without a final period.
  public var message: String
  /// What to do next, as a sentence without a final period.
  public var remedy: String
  /// The Task Library's status for a model that breaks a rule, for example 208 for a missing normalisation;
  /// nil for other failures.
  ///
  /// **Source:** `TfLiteSupportStatus` in TensorFlow Lite Support, `cc/common.h`.
  public var modelStatus: Int?
  /// The error of the layer below that caused this one.
  public var cause: (any Error)?

  /// Creates an error.
  /// - Parameters:
  ///   - code: The error code.
  ///   - message: What happened.
  ///   - remedy: What to do next.
  ///   - modelStatus: The Task Library's status, if a model breaks a rule.
  ///   - cause: The error of the layer below.
  package init(
    _ code: Code, _ message: String, remedy: String, modelStatus: Int? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.modelStatus = modelStatus
    self.cause = cause
  }
}

extension MLError: CustomStringConvertible {
  /// The message and the remedy as sentences.
  public var description: String { "\(message.sentence) \(remedy.sentence)" }
}

extension MLError: LocalizedError {
  /// The same text as `description`.
  public var errorDescription: String? { description }
  /// The message.
  public var failureReason: String? { message }
  /// The remedy.
  public var recoverySuggestion: String? { remedy }
}

extension MLError: CustomNSError {
  /// The domain of the error as an `NSError`.
  public static var errorDomain: String { "fovea.mlkit" }
  /// The code's number.
  public var errorCode: Int { code.rawValue }
  /// Message and remedy under Foundation's keys, and the Task Library's status under
  /// `MLError.modelStatusKey`.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: description, NSLocalizedFailureReasonErrorKey: message,
      NSLocalizedRecoverySuggestionErrorKey: remedy,
    ]
    if let modelStatus { info[Self.modelStatusKey] = modelStatus }
    return info
  }
  /// The key of `modelStatus` in the `userInfo` of the `NSError`.
  public static let modelStatusKey = "FoveaModelStatus"
}
