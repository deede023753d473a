// SPDX-License-Identifier: Apache-2.0

package import Fovea

extension MLError {
  /// An error of the layers below: its texts stay, and it becomes the cause.
  package init(_ error: FoveaError) {
    let kind = Self.kinds[error.code.rawValue] ?? Self.kind(ofFamily: error.code.rawValue)
    self.init(
      kind.code, "\(error.subject.map { "\($0): " } ?? "")\(error.message)", remedy: error.remedy,
      modelStatus: kind.status, cause: error)
  }

  /// A model that cannot be opened, with ML Kit's words.
  /// - Parameters:
  ///   - path: The path as the caller gave it.
  ///   - reason: What is wrong with it, without a final stop.
  ///   - remedy: What to do next.
  ///   - code: The kind of failure.
  ///   - status: The Task Library's status.
  ///   - cause: The error of the layer below.
  /// - Returns: The error.
  package static func invalidLocalModel(
    _ path: String, _ reason: String, remedy: String, code: Code = .invalidArgument, status: Int,
    cause: (any Error)? = nil
  ) -> MLError {
    MLError(
      code, "Local model path (\(path)) is invalid: \(reason)", remedy: remedy, modelStatus: status,
      cause: cause)
  }

  /// The same error about a model: what says that it cannot be opened gets ML Kit's words.
  package func about(model path: String) -> MLError {
    guard let cause = cause as? FoveaError, Self.unopened.contains(cause.code.rawValue) else { return self }
    return .invalidLocalModel(
      path, message, remedy: remedy, code: code, status: modelStatus ?? Self.fileReadError, cause: cause)
  }

  /// The status of a file that cannot be read.
  private static let fileReadError = 102
  /// Codes that say that there is no model, or none that can be opened.
  private static let unopened: Set<String> = [
    "model-unreadable", "metadata-missing-file", "metadata-unreadable", "metadata-no-model",
    "metadata-ambiguous", "metadata-bad-manifest", "metadata-path-escapes-folder",
  ]

  /// **Source:** the status numbers are `TfLiteSupportStatus` of TensorFlow Lite Support, `cc/common.h`.
  private static let kinds: [String: (code: Code, status: Int?)] = [
    "cancelled": (.cancelled, nil),
    "option-invalid": (.invalidArgument, nil),
    "invalid-parameter": (.invalidArgument, nil),
    "runtime-missing": (.failedPrecondition, nil),
    "runtime-unusable": (.failedPrecondition, nil),
    "run-failed": (.internal, nil),
    "unexpected": (.unknown, nil),
    "model-unreadable": (.invalidArgument, fileReadError),
    "model-invalid": (.modelIncompatible, 3),
    "model-unsupported": (.modelIncompatible, nil),
    "unknown-family": (.modelIncompatible, 400),
    "ambiguous-family": (.modelIncompatible, nil),
    "family-mismatch": (.modelIncompatible, nil),
    "ambiguous-model": (.modelIncompatible, nil),
    "not-a-classifier": (.modelIncompatible, 400),
    "invalid-output": (.modelIncompatible, nil),
    "labels-do-not-fit": (.modelIncompatible, 203),
    "metadata-missing-file": (.notFound, 100),
    "metadata-unreadable": (.permissionDenied, 101),
    "metadata-no-model": (.notFound, 100),
    "metadata-not-a-model": (.modelIncompatible, 3),
    "metadata-damaged-model": (.modelIncompatible, 3),
    "metadata-damaged-archive": (.modelIncompatible, 202),
    "metadata-compressed-archive": (.modelIncompatible, 202),
    "metadata-count-mismatch": (.modelIncompatible, 203),
    "metadata-bad-calibration": (.modelIncompatible, 206),
    "metadata-bad-labels": (.modelIncompatible, 201),
    "metadata-missing-locale": (.invalidArgument, 201),
    "image-not-found": (.notFound, nil),
    "image-out-of-memory": (.resourceExhausted, nil),
    "image-library-missing": (.failedPrecondition, nil),
  ]

  private static func kind(ofFamily code: String) -> (code: Code, status: Int?) {
    if code.hasPrefix("image-") { return (.invalidArgument, nil) }
    if code.hasPrefix("metadata-") { return (.modelIncompatible, 200) }
    return (.internal, nil)
  }
}
