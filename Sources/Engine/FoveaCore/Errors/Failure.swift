// SPDX-License-Identifier: Apache-2.0

/// An error with a code, a message and a remedy: the only error type of Fovea.
///
/// Each module names its own, for example `ImageError` for `Failure<ImageCode>`, and throws only that type.
public struct Failure<Code: FailureCode>: Error {
  /// The kind of failure.
  public var code: Code
  /// What happened, with actual and expected values, as one sentence without a full stop.
  public var message: String
  /// The next step for the user, as one sentence without a full stop.
  public var remedy: Advice
  /// The file or input that failed; nil if the message names it.
  public var subject: String?
  /// The error of a lower module that caused this one; nil if there is none.
  public var cause: (any Error)?
  /// The message without the name of the model that failed, for reports that begin with the name; the message
  /// itself for an error that names none.
  package var reason: String

  /// Creates an error.
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What happened.
  ///   - remedy: The next step for the user.
  ///   - subject: The file or input that failed, if the message does not name it.
  ///   - cause: The error of a lower module.
  public init(
    _ code: Code, _ message: String, remedy: Advice, subject: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    reason = message
    self.remedy = remedy
    self.subject = subject
    self.cause = cause
  }
}

extension Failure: CustomStringConvertible {
  /// Subject, message and remedy as sentences, for people.
  public var description: String {
    "\(subject.map { "\($0): " } ?? "")\(message.sentence) \(remedy.description.sentence)"
  }
}

extension Failure: Hashable {
  /// Returns whether code, message, remedy and subject are equal; causes are not compared.
  public static func == (first: Self, second: Self) -> Bool {
    first.code == second.code && first.message == second.message && first.remedy == second.remedy
      && first.subject == second.subject
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(remedy)
    hasher.combine(subject)
  }
}

extension String {
  /// The text of a message or a remedy as a sentence: with a full stop unless it ends with a question mark or
  /// a stop.
  package var sentence: String { hasSuffix("?") || hasSuffix(".") ? self : self + "." }
}

/// The kinds of failure of one module: stable strings that programs may compare.
///
/// More codes may be added over time, so compare with `==`, and include a `default` in each `switch`.
public protocol FailureCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
  /// The prefix of the module's codes in a `FoveaError`: "image-", or nothing.
  static var domain: String { get }
  /// The code as in results, in kebab case: "truncated".
  var rawValue: String { get }
  /// Creates a code from its raw value.
  init(rawValue: String)
  /// The code in a `FoveaError`: domain and text, unless a module has its own rule.
  var qualified: String { get }
  /// Returns a `FoveaError` for an error with these codes: with the same message and remedy, unless a module
  /// has its own rule.
  static func qualified(_ error: Failure<Self>) -> FoveaError
}

extension FailureCode {
  /// The code's text.
  public var description: String { rawValue }

  /// The domain followed by the text.
  public var qualified: String { Self.domain + rawValue }

  /// Returns an error with the same message and remedy, the qualified code, and the error as its cause.
  public static func qualified(_ error: Failure<Self>) -> FoveaError { FoveaError(wrapping: error) }
}
