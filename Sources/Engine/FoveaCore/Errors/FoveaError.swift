// SPDX-License-Identifier: Apache-2.0

/// An error of any layer, as `Fovea` throws it.
public typealias FoveaError = Failure<FoveaCode>

/// The kinds of `FoveaError`: those of all layers, with their domain in front, and these.
public struct FoveaCode: FailureCode {
  /// Nothing: the text is whole.
  public static let domain = ""
  /// The code as results print it, in kebab case: "image-truncated".
  public var rawValue: String
  /// Makes a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes the code of a layer one of all layers: `truncated` of an image becomes "image-truncated".
  public init<Code: FailureCode>(_ code: Code) { rawValue = code.qualified }

  /// The call was cancelled before it ended.
  ///
  /// **Remedy:** call again.
  public static let cancelled = Self(rawValue: "cancelled")
  /// An option is out of its range, or contradicts the model or the image.
  ///
  /// **Remedy:** the message names the option and the range.
  public static let optionInvalid = Self(rawValue: "option-invalid")
  /// A failure that is not foreseen.
  ///
  /// **Remedy:** report it with its text.
  public static let unexpected = Self(rawValue: "unexpected")
}

extension FoveaCode {
  /// An error of all layers is one already.
  public static func qualified(_ error: FoveaError) -> FoveaError { error }

  /// Whether a code of all layers is that of a layer: `error.code == ImageCode.truncated`.
  public static func == (code: FoveaCode, other: some FailureCode) -> Bool {
    code.rawValue == other.qualified
  }

  /// Matches two codes of all layers: `case FoveaCode.cancelled:`.
  public static func ~= (pattern: FoveaCode, code: FoveaCode) -> Bool { pattern.rawValue == code.rawValue }

  /// Matches a code of all layers with that of a layer: `case ImageCode.truncated:`.
  public static func ~= (pattern: some FailureCode, code: FoveaCode) -> Bool {
    code.rawValue == pattern.qualified
  }
}

extension Failure where Code == FoveaCode {
  /// An error of a layer below: its texts stay, and its code gets the layer's domain.
  public init<Other: FailureCode>(_ error: Failure<Other>) { self = Other.qualified(error) }

  /// The same texts with the code of all layers, and the error as its cause.
  package init<Other: FailureCode>(wrapping error: Failure<Other>) {
    self.init(
      FoveaCode(error.code), error.message, remedy: error.remedy, subject: error.subject, cause: error)
  }

  /// An error of any type: that of a layer below, a cancelled task, or one that is not foreseen.
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

  /// The error for an option out of its range.
  package static func optionInvalid(_ message: String, remedy: Advice) -> FoveaError {
    FoveaError(.optionInvalid, message, remedy: remedy)
  }
}

/// A `Failure`, whatever its codes.
private protocol QualifiedError: Error {
  /// The same error with the codes of all layers.
  var qualified: FoveaError { get }
}

extension Failure: QualifiedError {
  fileprivate var qualified: FoveaError { Code.qualified(self) }
}
