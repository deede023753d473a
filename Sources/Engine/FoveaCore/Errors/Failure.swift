// SPDX-License-Identifier: Apache-2.0

/// What went wrong, with actual and expected values, and what to do about it: the one body of every error of Fovea.
///
/// Each module names its own, for example `ImageError` for `Failure<ImageCode>`, and throws that type alone.
public struct Failure<Code: FailureCode>: Error {
  /// The kind of failure.
  public var code: Code
  /// What happened, with actual and expected values, as one sentence without a final stop.
  public var message: String
  /// What to do next, as one sentence without a final stop.
  public var remedy: Advice
  /// The file or input that failed, where the message does not name it; nil where it does.
  public var subject: String?
  /// The error of the layer below that led to this one; nil where there is none.
  public var cause: (any Error)?

  /// Makes an error.
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What happened.
  ///   - remedy: What to do next.
  ///   - subject: The file or input that failed, where the message does not name it.
  ///   - cause: The error of the layer below.
  public init(
    _ code: Code, _ message: String, remedy: Advice, subject: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
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
  /// Whether code, message, remedy and subject are the same; causes are not compared.
  public static func == (first: Self, second: Self) -> Bool {
    first.code == second.code && first.message == second.message && first.remedy == second.remedy
      && first.subject == second.subject
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(remedy)
    hasher.combine(subject)
  }
}

extension String {
  /// The text of a message or a remedy as a sentence: with a full stop, which a question goes without, and a text that has one.
  package var sentence: String { hasSuffix("?") || hasSuffix(".") ? self : self + "." }
}

/// The kinds of failure of one module: stable texts that programs may compare.
///
/// New ones are added over time, so compare with `==`, and keep a `default` where you switch.
public protocol FailureCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
  /// What stands before the code where a `FoveaError` carries it: "image-", or nothing.
  static var domain: String { get }
  /// The code as results print it, in kebab case: "truncated".
  var rawValue: String { get }
  /// Makes a code from its text.
  init(rawValue: String)
  /// The code where a `FoveaError` carries it: domain and text, where a module has no rule of its own.
  var qualified: String { get }
  /// An error with these codes as one of all layers: its texts stay, where a module has no rule of its own.
  static func qualified(_ error: Failure<Self>) -> FoveaError
}

extension FailureCode {
  /// The code's text.
  public var description: String { rawValue }

  /// Domain and text.
  public var qualified: String { Self.domain + rawValue }

  /// The same texts with the qualified code, and the error as its cause.
  public static func qualified(_ error: Failure<Self>) -> FoveaError { FoveaError(wrapping: error) }
}
