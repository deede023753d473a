// SPDX-License-Identifier: Apache-2.0

public import Fovea

/// Which rules of ML Kit's custom models, and of the Task Library's detectors, a model keeps.
///
///     let report = try CompatibilityReport(of: .file("bird.tflite"))
///     for rule in report.broken { print(rule.number, rule.finding, rule.remedy ?? "") }
///
/// **Source:** ML Kit, "Custom models"; TensorFlow Lite Support, `cc/task/vision/image_classifier.cc`,
/// `object_detector.cc` and `utils/image_tensor_specs.cc`.
public struct CompatibilityReport: Sendable, Hashable {
  /// Why Fovea cannot use a model, and what to do next.
  public struct Refusal: Sendable, Hashable {
    /// What happened, without a final stop.
    public let message: String
    /// What to do next, without a final stop.
    public let remedy: Advice
  }

  /// The path of the model's file, or the name of an embedded model.
  public let name: String
  /// "classifier" or the name of a detector family, as `ModelInspection` has it; nil where Fovea cannot use the model.
  public let family: String?
  /// Whether it is a detector that Fovea can use.
  package let isDetector: Bool
  /// Every rule, in the order of their numbers: 1 to 17 for all models, then those of detectors where it is one.
  ///
  /// Where there is a `refusal`, none has the verdict `differs`: Fovea does not take the model.
  public let rules: [CompatibilityRule]
  /// The rules without regard to a `refusal`: those that are failed here are why Google's names refuse the model.
  let rulesAlone: [CompatibilityRule]

  /// The rules that the model breaks.
  public var broken: [CompatibilityRule] {
    rules.filter { $0.verdict == .failed || $0.verdict == .differs }
  }
  /// Whether ML Kit takes the model, for a detector whether the Task Library and MediaPipe do: no rule is broken.
  public var isAcceptedByGoogle: Bool { broken.isEmpty }
  /// Why Fovea cannot use a model: an embedding, landmarks, segmentation, sound, a graph for the Edge TPU, a size that is
  /// not fixed, not one image, outputs of no known family.
  ///
  /// It is nil where Fovea can, and where labels or calibration of a classifier are the reason, which rules 12 and 13
  /// show. `ImageLabeler` refuses a model that has a classifier's output with the same words, `ObjectDetector` others.
  public let refusal: Refusal?
  /// Whether Fovea takes the model under Google's names: it breaks no rule but those that Fovea does without, and there
  /// is no `refusal`.
  public var isAcceptedByFovea: Bool { refusal == nil && rules.allSatisfy { $0.verdict != .failed } }

  /// Loads a model and compares it with every rule.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - labelFile: A label file in place of the model's own.
  ///   - normalization: The normalisation that the caller gives as an option; nil leaves it to the model.
  /// - Throws: For models that cannot be loaded at all: `model-unreadable`, `model-invalid`, `model-unsupported`,
  ///   `metadata-…`; `SupportStatus(_:)` has the Task Library's number for them. `runtime-missing`,
  ///   `option-invalid`.
  public init(
    of source: ModelSource, labelFile: String? = nil, normalization: Normalization? = nil
  ) throws(FoveaError) {
    try self.init(ModelProfile(stored: source, labelFile: labelFile, normalization: normalization))
  }

  /// Loads a model that its caller describes, and compares it with every rule.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - options: What the model does not say about itself.
  /// - Throws: As `init(of:labelFile:normalization:)`.
  package init(of source: ModelSource, options: ObjectDetector.Options) throws(FoveaError) {
    try self.init(ModelProfile(stored: source, options))
  }

  /// Compares a model that is known with every rule.
  /// - Parameter profile: What the model is.
  /// - Throws: `metadata-…` for a graph or an archive that cannot be read.
  package init(_ profile: ModelProfile) throws(FoveaError) {
    let facts = try RuleFacts(profile)
    name = facts.loaded.name
    family = facts.family
    isDetector = facts.isDetector
    refusal = facts.refusal.map { Refusal(message: $0.message, remedy: $0.remedy) }
    rulesAlone =
      facts.inputRules + facts.outputRules + facts.scoreRules + [facts.container] + facts.detectorRules
    rules = refusal == nil ? rulesAlone : rulesAlone.map(\.ofRefused)
  }
}
