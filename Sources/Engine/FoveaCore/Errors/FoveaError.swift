// SPDX-License-Identifier: Apache-2.0

/// An error of any module, as `Fovea` throws it.
public typealias FoveaError = Failure<FoveaCode>

/// The codes of `FoveaError`: the codes of all modules, prefixed with their domain, and those below.
public struct FoveaCode: FailureCode {
  /// An empty prefix: the text is already complete.
  public static let domain = ""
  /// The code as in results, in kebab case: "image-truncated".
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a code from a module's: `truncated` of an image becomes "image-truncated".
  public init<Code: FailureCode>(_ code: Code) { rawValue = code.qualified }

  /// The call was cancelled before it ended.
  ///
  /// **Remedy:** call again.
  public static let cancelled = Self(rawValue: "cancelled")
  /// An option is out of its range, or contradicts the model or the image.
  ///
  /// **Remedy:** the message names the option and the range.
  public static let optionInvalid = Self(rawValue: "option-invalid")
  /// An unexpected failure.
  ///
  /// **Remedy:** report it with its text.
  public static let unexpected = Self(rawValue: "unexpected")
}

extension FoveaCode {
  /// Returns the error itself.
  public static func qualified(_ error: FoveaError) -> FoveaError { error }

  /// Returns whether a code equals a module's: `error.code == ImageCode.truncated`.
  public static func == (code: FoveaCode, other: some FailureCode) -> Bool {
    code.rawValue == other.qualified
  }

  /// Matches two codes: `case FoveaCode.cancelled:`.
  public static func ~= (pattern: FoveaCode, code: FoveaCode) -> Bool { pattern.rawValue == code.rawValue }

  /// Matches a code with a module's: `case ImageCode.truncated:`.
  public static func ~= (pattern: some FailureCode, code: FoveaCode) -> Bool {
    code.rawValue == pattern.qualified
  }
}

extension Failure where Code == FoveaCode {
  /// Creates an error from a module's: its message and remedy are kept, and its code gets the module's
  /// domain.
  public init<Other: FailureCode>(_ error: Failure<Other>) { self = Other.qualified(error) }

  /// Creates an error with the same message and remedy, the qualified code, and the given error as its cause.
  package init<Other: FailureCode>(wrapping error: Failure<Other>) {
    self.init(
      FoveaCode(error.code), error.message, remedy: error.remedy, subject: error.subject, cause: error)
    reason = error.reason
  }

  /// Creates an error from an error of any type: a module's, a cancelled task's, or an unexpected one.
  @_disfavoredOverload package init(_ error: any Error) {
    switch error {
    case let error as any QualifiedError: self = error.qualified
    case is CancellationError:
      self.init(.cancelled, "The call was cancelled", remedy: "Call again", cause: error)
    default:
      self.init(
        .unexpected, "Unexpected internal error: \(error)", remedy: "Report it with this text", cause: error)
    }
  }

  /// Returns the error for an option out of range.
  package static func optionInvalid(_ message: String, remedy: Advice) -> FoveaError {
    FoveaError(.optionInvalid, message, remedy: remedy)
  }

  /// Returns the error for an option that does not fit a model.
  @_disfavoredOverload package static func optionInvalid(
    _ message: ModelMessage, remedy: Advice
  ) -> FoveaError {
    FoveaError(.optionInvalid, message, remedy: remedy)
  }
}

/// A `Failure` with any codes.
private protocol QualifiedError: Error {
  /// The same error with a qualified code.
  var qualified: FoveaError { get }
}

extension Failure: QualifiedError {
  fileprivate var qualified: FoveaError { Code.qualified(self) }
}
