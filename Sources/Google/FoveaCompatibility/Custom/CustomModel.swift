// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaModelRules

/// What a model of the caller's can do, found out before it is used.
struct CustomModel: Sendable {
  /// The model, loaded and compiled, for the detector or labeler that uses it.
  let source: ModelSource
  /// Whether it finds objects by itself, and is no classifier.
  let isDetector: Bool

  /// Opens the model and compares it with the rules of ML Kit's custom models.
  ///
  /// What ML Kit refuses and Fovea takes is not refused: detectors, int8 tensors, a float model whose normalisation the
  /// caller gives.
  /// - Parameters:
  ///   - path: A model file, a folder with one, or a manifest.
  ///   - normalization: The caller's normalisation of its input.
  ///   - isExact: Whether it is to run as it is stored.
  ///   - asClassifier: Whether a detector is refused too.
  /// - Throws: "Local model path (…) is invalid" for what cannot be opened; `modelIncompatible` with the Task Library's
  ///   words and status for a model that breaks a rule.
  init(
    path: String, normalization: PixelNormalization?, isExact: Bool, asClassifier: Bool = false
  ) throws(MLError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .invalidLocalModel(
        path, "there is no such file", remedy: "Check the path; it must be one that this process may read",
        code: .notFound, status: .fileNotFound)
    }
    var options = ObjectDetector.Options()
    options.normalization = normalization?.normalization
    options.exactArithmetic = isExact
    let report: CompatibilityReport
    do throws(FoveaError) {
      let profile = try ModelProfile(of: .file(path), options: options)
      report = try CompatibilityReport(profile)
      source = .loaded(profile.loaded)
    } catch {
      throw MLError(error).about(model: path)
    }
    isDetector = report.isDetector
    if let refusal = ModelRefusal(report, asClassifier: asClassifier) {
      throw Self.error(refusal, isDetector: isDetector && refusal.rule.verdict != .failed)
    }
  }

  private static func error(_ refusal: ModelRefusal, isDetector: Bool) -> MLError {
    var remedy = refusal.remedy.mlKit
    if refusal.rule.status == .missingNormalization {
      remedy += ", or give it with the option 'normalization'"
    }
    if isDetector {
      remedy =
        "Give the detector to CustomObjectDetectorOptions(localModel:), and a classifier to the labeler"
    }
    return MLError(
      .modelIncompatible, refusal.message, remedy: remedy, modelStatus: refusal.rule.status?.rawValue)
  }
}
