// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaModelRules

extension MLError {
  /// Converts an error of the layers below: its message and remedy are kept, and it becomes the cause.
  package init(_ error: FoveaError) {
    self.init(
      Code(error), "\(error.subject.map { "\($0): " } ?? "")\(error.message)", remedy: error.remedy.mlKit,
      modelStatus: SupportStatus(error)?.rawValue, cause: error)
  }

  /// Returns the error for a model that cannot be opened, with ML Kit's text.
  /// - Parameters:
  ///   - path: The path as the caller passed it.
  ///   - reason: The reason, without a final period.
  ///   - remedy: The remedy.
  ///   - code: The error code.
  ///   - status: The Task Library's status.
  ///   - cause: The error of the layer below.
  /// - Returns: The error.
  ///
  /// **Source:** the reason of ML Kit's exception `MLKInvalidLocalModel`.
  static func invalidLocalModel(
    _ path: String, _ reason: String, remedy: String, code: Code, status: SupportStatus,
    cause: (any Error)? = nil
  ) -> MLError {
    MLError(
      code, "Local model path (\(path)) is invalid: \(reason)", remedy: remedy, modelStatus: status.rawValue,
      cause: cause)
  }

  /// Returns the error with ML Kit's text if the model cannot be opened, else unchanged.
  func about(model path: String) -> MLError {
    guard let cause = cause as? FoveaError, let status = SupportStatus(cause),
      Self.unopened.contains(status)
    else { return self }
    return .invalidLocalModel(
      path, Self.without(path, cause.message), remedy: remedy, code: code, status: status, cause: cause)
  }

  /// Removes the path from text, since the message already names it.
  private static func without(_ path: String, _ text: String) -> String {
    guard !path.isEmpty else { return text }
    let named = "'\(path)' "
    guard text.hasPrefix(named) else { return text.replacing(" '\(path)'", with: "") }
    return "It " + text.dropFirst(named.count)
  }

  /// The statuses of a model that is missing or cannot be opened.
  private static let unopened: Set<SupportStatus> = [
    .invalidArgument, .fileNotFound, .filePermission, .fileRead, .invalidFlatBuffer,
  ]
}

extension MLError.Code {
  /// Converts the code of a failure of the layers below.
  fileprivate init(_ error: FoveaError) {
    self =
      switch error.code {
      case .cancelled: .cancelled
      case .unexpected: .unknown
      case RuntimeCode.runFailed: .internal
      case RuntimeCode.libraryMissing, RuntimeCode.libraryUnusable, ImageCode.libraryMissing:
        .failedPrecondition
      case .optionInvalid, TrackingCode.invalidParameter, MetadataCode.missingLocale: .invalidArgument
      case ImageCode.outOfMemory: .resourceExhausted
      case ImageCode.notFound, MetadataCode.missingFile, MetadataCode.noModel: .notFound
      case ImageCode.unreadable, MetadataCode.unreadable: .permissionDenied
      case RuntimeCode.modelUnreadable, MetadataCode.ambiguous, MetadataCode.badManifest: .invalidArgument
      case MetadataCode.pathEscapesFolder, MetadataCode.tooLarge: .invalidArgument
      case let code where code.rawValue.hasPrefix(ImageCode.domain): .invalidArgument
      default: .modelIncompatible
      }
  }
}
