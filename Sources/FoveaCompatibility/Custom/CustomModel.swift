// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea

/// What a model of the caller's can do, found out before it is used.
enum CustomModel: Sendable {
  case classifier
  case detector

  /// Opens the model and compares it with the rules of ML Kit's custom models.
  ///
  /// What ML Kit refuses and Fovea takes is not refused: detectors, int8 tensors, a float model whose normalisation the
  /// caller gives.
  /// - Parameters:
  ///   - path: A model file, a folder with one, or a manifest.
  ///   - normalization: What the caller says of its input.
  /// - Throws: "Local model path (…) is invalid" for what cannot be opened; `modelIncompatible` with the Task Library's
  ///   words and status for a model that breaks a rule.
  init(path: String, normalization: PixelNormalization?) throws(MLError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .invalidLocalModel(
        path, "there is no such file", remedy: "Check the path; it must be one that this process may read",
        code: .notFound, status: .fileNotFound)
    }
    let report: CompatibilityReport
    do throws(FoveaError) {
      report = try CompatibilityReport(of: .file(path), normalization: normalization?.normalization)
    } catch {
      throw MLError(error).about(model: path)
    }
    if let refusal = ModelRefusal(report) {
      let option =
        refusal.status == .missingNormalization ? ", or give it with the option 'normalization'" : ""
      throw MLError(
        .modelIncompatible, refusal.message, remedy: refusal.remedy + option,
        modelStatus: refusal.status?.rawValue)
    }
    self = report.family == "classifier" ? .classifier : .detector
  }
}
