// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore

/// What a call of ML Kit's or Firebase ML's names failed with: what happened, and what to do next.
///
/// Where Google's libraries raise an exception, which Swift cannot catch, this is thrown, with the exception's text.
public struct MLError: Error, Sendable {
  /// The kind of failure.
  public var code: Code
  /// What happened, as a sentence without a final stop.
  public var message: String
  /// What to do next, as a sentence without a final stop.
  public var remedy: String
  /// The Task Library's status for a model that breaks a rule, for example 208 for missing normalisation; nil for
  /// other failures.
  ///
  /// **Source:** `TfLiteSupportStatus` in TensorFlow Lite Support, `cc/common.h`.
  public var modelStatus: Int?
  /// The error of the layer below that led to this one.
  public var cause: (any Error)?

  /// Makes an error.
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What happened.
  ///   - remedy: What to do next.
  ///   - modelStatus: The Task Library's status, where a model breaks a rule.
  ///   - cause: The error of the layer below.
  public init(
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
  /// Message and remedy as sentences, for people.
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
  /// The texts under Foundation's keys, and the Task Library's status under `MLError.modelStatusKey`.
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
