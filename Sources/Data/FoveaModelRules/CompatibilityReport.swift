// SPDX-License-Identifier: Apache-2.0

public import Fovea

/// A model compared with the rules of ML Kit's custom models and of the Task Library's detectors.
///
///     let report = try CompatibilityReport(of: .file("bird.tflite"))
///     for rule in report.broken { print(rule.number, rule.finding, rule.remedy ?? "") }
///
/// **Source:** ML Kit, "Custom models"; TensorFlow Lite Support, `cc/task/vision/image_classifier.cc`,
/// `object_detector.cc` and `utils/image_tensor_specs.cc`.
public struct CompatibilityReport: Sendable, Hashable {
  /// The reason why Fovea cannot use a model, with the remedy.
  public struct Refusal: Sendable, Hashable {
    /// The reason, without a final stop.
    public let message: String
    /// The remedy, without a final stop.
    public let remedy: Advice
  }

  /// The path of the model's file, or the name of an embedded model.
  public let name: String
  /// "classifier" or a family of detectors or maps, as in `ModelInspection`; nil if Fovea cannot use the
  /// model.
  public let family: String?
  /// Whether it is a detector that Fovea can use.
  package let isDetector: Bool
  /// All rules by number: 1 to 17 for every model, then the rules for detectors if the model is one.
  ///
  /// If there is a `refusal`, no rule has the verdict `differs`, because Fovea does not accept the model.
  public let rules: [CompatibilityRule]
  /// The rules regardless of a `refusal`; if one has failed, Google's APIs in Fovea refuse the model.
  let rulesAlone: [CompatibilityRule]

  /// The rules that the model breaks.
  public var broken: [CompatibilityRule] {
    rules.filter { $0.verdict == .failed || $0.verdict == .differs }
  }
  /// Whether ML Kit accepts the model, for a detector the Task Library and MediaPipe: no rule is broken.
  public var isAcceptedByGoogle: Bool { broken.isEmpty }
  /// The reason why Fovea cannot use a model: an embedding, landmarks, segmentation, sound, a graph for the
  /// Edge TPU, an open size, inputs other than one image, or outputs of no known family.
  ///
  /// Nil if Fovea can use it, or if the reason is a classifier's labels or calibration, which rules 12 and 13
  /// show. `ImageLabeler` refuses a model with a classifier's output with the same message; `ObjectDetector`
  /// refuses other models.
  public let refusal: Refusal?
  /// Whether Fovea accepts the model under Google's names: it breaks only rules that Fovea does not need, and
  /// there is no `refusal`.
  public var isAcceptedByFovea: Bool { refusal == nil && rules.allSatisfy { $0.verdict != .failed } }

  /// Loads a model and compares it with every rule.
  /// - Parameters:
  ///   - source: The source of the model.
  ///   - labelFile: A label file that replaces the model's own labels.
  ///   - normalization: The normalisation from an option of the caller; nil uses the model's.
  /// - Throws: For models that cannot be loaded: `model-unreadable`, `model-invalid`, `model-unsupported`,
  ///   `metadata-…`; `SupportStatus(_:)` returns the Task Library's number for them. Also `runtime-missing`
  ///   and `option-invalid`.
  public init(
    of source: ModelSource, labelFile: String? = nil, normalization: Normalization? = nil
  ) throws(FoveaError) {
    try self.init(ModelProfile(stored: source, labelFile: labelFile, normalization: normalization))
  }

  /// Loads a model with facts from the caller, and compares it with every rule.
  /// - Parameters:
  ///   - source: The source of the model.
  ///   - options: The facts that the model does not declare.
  /// - Throws: As `init(of:labelFile:normalization:)`.
  package init(of source: ModelSource, options: ObjectDetector.Options) throws(FoveaError) {
    try self.init(ModelProfile(stored: source, options))
  }

  /// Compares a loaded model with every rule.
  /// - Parameter profile: The facts about the model.
  /// - Throws: `metadata-…` if a graph or an archive cannot be read.
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
