// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoveaCompatibility
public import MLKitCommon
public import MLKitObjectDetectionCommon

/// Options of a detector with a model of your own: a classifier, which labels the objects that the embedded
/// localizer finds; or, as an addition to ML Kit, a detector of a family that Fovea supports, which finds and
/// labels by itself.
///
/// A classifier runs only if `shouldEnableClassification` is on. A detector always runs; with classification
/// off, its objects have no labels.
public final class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
  /// The lowest confidence of a label, 0…1, inclusive.
  ///
  /// Nil, the default, and any number outside 0…1 mean the threshold in the model's metadata, else 0.0. With
  /// a detector model it is the lowest score of an object; the default is then the model's own, else 0.3, and
  /// 0.5 for a new object in stream mode.
  public var classificationConfidenceThreshold: NSNumber? {
    didSet { custom.threshold = OptionValues.threshold(classificationConfidenceThreshold) }
  }
  /// The largest number of labels per object, 10 by default; a number that is not positive counts as 10.
  public var maxPerObjectLabelCount = DetectionRequest.defaultMaxLabels {
    didSet {
      custom.maxLabels = OptionValues.count(
        maxPerObjectLabelCount, default: DetectionRequest.defaultMaxLabels)
    }
  }
  /// The locale of label names, for example "en", if the model has names in several; nil, the default, uses
  /// the plain class names.
  ///
  /// An addition. A locale that the model does not have is reported as an error of the first image.
  public var locale: String? {
    get { custom.locale }
    set { custom.locale = newValue }
  }
  /// The normalisation of the pixels, instead of the one in the model's metadata; nil, the default, uses the
  /// metadata.
  ///
  /// An addition: ML Kit refuses a float model whose metadata has no normalisation.
  public var normalization: PixelNormalization? {
    get { custom.normalization }
    set { custom.normalization = newValue }
  }

  /// Whether images are decoded at full size and the model computes in its stored precision; false by
  /// default.
  ///
  /// An addition, for comparing with other tools. By default a large JPEG is decoded only as finely as the
  /// model needs, and a uint8 model computes in int8 on x86-64: several times as fast, with scores that
  /// differ by a few hundredths.
  public var isExact: Bool {
    get { custom.isExact }
    set { custom.isExact = newValue }
  }

  /// Creates options for a model in a file.
  /// - Parameter localModel: The model. Nil, as `LocalModel(manifestPath:)` returns for an invalid manifest,
  ///   is reported as an error of the first image.
  public init(localModel: LocalModel!) { super.init(custom: .custom(localModel?.reference ?? .missing)) }

  /// Creates options for a downloaded model.
  /// - Parameter remoteModel: The model; if it was not downloaded, the first image fails.
  public init(remoteModel: CustomRemoteModel) { super.init(custom: .custom(remoteModel.reference)) }
}
