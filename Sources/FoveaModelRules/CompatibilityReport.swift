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
  /// "classifier" or the name of a detector family, by the outputs; nil where the model is of no known family.
  public let family: String?
  /// Whether it is a detector that Fovea can use.
  package let isDetector: Bool
  /// Every rule, in the order of their numbers: 1 to 17 for all models, then those of detectors where it is one.
  public let rules: [CompatibilityRule]

  /// The rules that the model breaks.
  public var broken: [CompatibilityRule] {
    rules.filter { $0.verdict == .failed || $0.verdict == .differs }
  }
  /// Whether ML Kit takes the model, for a detector whether the Task Library and MediaPipe do: no rule is broken.
  public var isAcceptedByGoogle: Bool { broken.isEmpty }
  /// Why Fovea cannot use a model that has a classifier's output: an embedding, landmarks, sound, a graph for the Edge
  /// TPU, a size that is not fixed, not one image.
  ///
  /// It is nil where Fovea can, and where the output is no classifier's, which rule 9 shows. `ImageLabeler` refuses the
  /// model with the same words.
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

  /// Compares a model that is known with every rule.
  /// - Parameter profile: What the model is.
  /// - Throws: `metadata-…` for a graph or an archive that cannot be read.
  package init(_ profile: ModelProfile) throws(FoveaError) {
    let facts = try RuleFacts(profile)
    name = facts.loaded.name
    family = facts.family
    isDetector = facts.isDetector
    refusal = facts.refusal.map { Refusal(message: $0.message, remedy: $0.remedy) }
    rules = facts.inputRules + facts.outputRules + facts.scoreRules + [facts.container] + facts.detectorRules
  }
}
