// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaModelRules

/// The capabilities of a custom model, determined before it is used.
struct CustomModel: Sendable {
  /// The model, loaded and compiled, for the detector or labeler that uses it.
  let source: ModelSource
  /// Whether it finds objects by itself and is not a classifier.
  let isDetector: Bool

  /// Opens the model and checks it against the rules of ML Kit's custom models.
  ///
  /// Models that ML Kit refuses and Fovea supports are accepted: detectors, int8 tensors, a float model with
  /// the caller's normalisation.
  /// - Parameters:
  ///   - path: A model file, a folder with one, or a manifest.
  ///   - normalization: The caller's normalisation of its input.
  ///   - isExact: Whether it runs in its stored precision.
  ///   - asClassifier: Whether detectors are refused too.
  /// - Throws: "Local model path (…) is invalid" for a model that cannot be opened; `modelIncompatible` with
  ///   the Task Library's message and status for one that breaks a rule.
  init(
    path: String, normalization: PixelNormalization?, isExact: Bool, asClassifier: Bool = false
  ) throws(MLError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .invalidLocalModel(
        path, "there is no such file", remedy: "Check the path; this process must be able to read it",
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
      remedy += ", or set the option 'normalization'"
    }
    if isDetector {
      remedy =
        "Pass the detector to CustomObjectDetectorOptions(localModel:), and a classifier to the labeler"
    }
    return MLError(
      .modelIncompatible, refusal.message, remedy: remedy, modelStatus: refusal.rule.status?.rawValue)
  }
}
