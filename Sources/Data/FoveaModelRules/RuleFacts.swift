// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

/// The facts about a model that the rules need, read once.
struct RuleFacts {
  let profile: ModelProfile
  let graph: ModelGraphSummary
  let archive: ModelArchive?
  /// "classifier" or the name of a family of detectors or maps; nil if Fovea cannot use the model.
  let family: String?
  /// Whether the outputs are a classifier's, even one that Fovea refuses.
  let isClassifier: Bool
  /// The reason why Fovea cannot use a model; nil if Fovea accepts the model, or if the reason is a
  /// classifier's labels or calibration, which have their own rules.
  let refusal: FoveaError?
  /// The source of the normalisation; nil if the input is not an image.
  let normalizationSource: NormalizationSource?
  /// Whether the graph or the family defines a normalisation, regardless of the option and the metadata.
  let hasOwnNormalization: Bool
  /// The labels, or the error if named ones cannot be read.
  let labels: Result<LabelMap?, FoveaError>
  /// The labels as in the file, regardless of the number of classes, or the error.
  let storedLabels: Result<LabelMap?, FoveaError>
  /// The error in the calibration that the metadata names; nil if it is valid or there is none.
  let calibrationError: FoveaError?
  /// A detector's labels if they fit its classes, otherwise the error.
  let detectorLabels: Result<LabelMap?, FoveaError>

  var loaded: LoadedModel { profile.loaded }
  /// The tensors with their shapes at run time, for one image.
  var signature: ModelSignature { profile.signature }
  /// The inputs and outputs that hold the model's memory.
  var stateCount: Int { profile.stateCount }
  var metadata: ModelMetadata? { loaded.metadata }
  var isDetector: Bool { profile.isDetector }

  init(_ profile: ModelProfile) throws(FoveaError) {
    self.profile = profile
    let loaded = profile.loaded
    graph = try profile.graph()
    archive = try profile.archive()
    labels = profile.labels
    storedLabels = profile.storedLabels
    family = profile.family
    // Broken labels and open sizes hide the kind of the outputs.
    isClassifier =
      !profile.isDetector && !profile.isSegmenter && (family != nil || profile.hasClassifierHead)
    refusal = profile.refusal()
    normalizationSource =
      profile.image?.normalizationSource ?? Self.statedSource(loaded, normalization: profile.normalization)
    hasOwnNormalization = try profile.ownNormalization() != nil
    detectorLabels = profile.detectorLabels
    calibrationError = Self.calibrationError(profile, labels)
  }

  /// Returns the source of the normalisation as far as option or metadata shows it.
  private static func statedSource(
    _ loaded: LoadedModel, normalization: Normalization?
  ) -> NormalizationSource? {
    if normalization != nil { return .option }
    guard loaded.signature.inputs.first?.elementType == .float32 else { return nil }
    return loaded.metadata?.inputs.first?.normalization == nil ? .assumed : .metadata
  }

  private static func calibrationError(
    _ profile: ModelProfile, _ labels: Result<LabelMap?, FoveaError>
  ) -> FoveaError? {
    let loaded = profile.loaded
    guard let index = loaded.metadata?.outputs.firstIndex(where: { $0.scoreCalibration != nil }) else {
      return nil
    }
    var labelCount: Int?
    if case .success(let labels) = labels { labelCount = labels?.count }
    guard let count = ClassifierHead(of: profile.signature)?.classCount ?? labelCount else { return nil }
    do throws(FoveaError) {
      _ = try loaded.calibration(output: index, classCount: count)
      return nil
    } catch {
      return error
    }
  }
}
