// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

/// What the rules ask of a model, read once.
struct RuleFacts {
  let profile: ModelProfile
  let graph: ModelGraphSummary
  let archive: ModelArchive?
  /// "classifier" or the name of a detector family; nil for a model that Fovea cannot use.
  let family: String?
  /// Whether the outputs are a classifier's, even one that Fovea refuses.
  let isClassifier: Bool
  /// Why Fovea cannot use a model; nil for those that it takes, and where labels or calibration of a classifier are the
  /// reason, which have rules of their own.
  let refusal: FoveaError?
  /// Where the normalisation comes from; nil where the input is no image.
  let normalizationSource: NormalizationSource?
  /// Whether graph or family have a normalisation, whatever option and metadata say.
  let hasOwnNormalization: Bool
  /// The labels, or why there are none though something names them.
  let labels: Result<LabelMap?, FoveaError>
  /// The labels as the file has them, whatever the number of classes, or why there are none.
  let storedLabels: Result<LabelMap?, FoveaError>
  /// What is wrong with the calibration that the metadata name; nil where it is in order, or there is none.
  let calibrationError: FoveaError?
  /// A detector's labels as they fit its classes, or why they do not.
  let detectorLabels: Result<LabelMap?, FoveaError>

  var loaded: LoadedModel { profile.loaded }
  /// Tensors with the shapes that they have when the model runs, for one image.
  var signature: ModelSignature { profile.signature }
  /// The inputs and outputs that carry the model's memory.
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
    // Broken labels and open sizes hide what the outputs are.
    isClassifier = !profile.isDetector && (family != nil || profile.hasClassifierHead)
    refusal = profile.refusal()
    normalizationSource =
      profile.image?.normalizationSource ?? Self.statedSource(loaded, normalization: profile.normalization)
    hasOwnNormalization = try profile.ownNormalization() != nil
    detectorLabels = profile.detectorLabels
    calibrationError = Self.calibrationError(profile, labels)
  }

  /// Where the normalisation would come from, as far as option and metadata give it.
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
