// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoveaCompatibility
public import MLKitCommon
public import MLKitObjectDetectionCommon

/// Options of a detector with a model of your own: a classifier, which labels what the embedded localizer finds; or, as an
/// addition to ML Kit, a detector of a family that Fovea knows, which finds and labels by itself.
///
/// A classifier runs only where `shouldEnableClassification` is on. A detector always runs; with classification off, its
/// objects have no labels.
public final class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
  /// The lowest confidence of a label, 0…1; a label whose confidence equals it is kept.
  ///
  /// Nil, the default, and a value that is no number of 0…1 take the threshold in the model's metadata, else 0.0. With a
  /// detector model it is the lowest score of an object, whose default is the model's own, else 0.3, and 0.5 for a new
  /// object in stream mode.
  public var classificationConfidenceThreshold: NSNumber? {
    didSet { custom.threshold = OptionValues.threshold(classificationConfidenceThreshold) }
  }
  /// The most labels of an object, 10 by default; a number that is not positive counts as 10.
  public var maxPerObjectLabelCount = DetectionRequest.defaultMaxLabels {
    didSet {
      custom.maxLabels = OptionValues.count(
        maxPerObjectLabelCount, default: DetectionRequest.defaultMaxLabels)
    }
  }
  /// The locale of label names, for example "en", where the model has names in several; nil, the default, takes the plain
  /// class names.
  ///
  /// An addition. A locale that the model does not have is an error of the first image.
  public var locale: String? {
    get { custom.locale }
    set { custom.locale = newValue }
  }
  /// How the model wants its pixels, in place of what its metadata say; nil, the default, takes those.
  ///
  /// An addition: ML Kit refuses a float model whose metadata say nothing.
  public var normalization: PixelNormalization? {
    get { custom.normalization }
    set { custom.normalization = newValue }
  }

  /// Whether the model sees images decoded at full size, and computes as it is stored; false by default.
  ///
  /// An addition, for comparing with another tool. By default a large JPEG is decoded only as finely as the model needs, and
  /// a uint8 model computes in int8 on x86-64: several times as fast, with scores that differ by a few hundredths.
  public var isExact: Bool {
    get { custom.isExact }
    set { custom.isExact = newValue }
  }

  /// Takes a model in a file.
  /// - Parameter localModel: The model. Nil, as `LocalModel(manifestPath:)` gives for a broken manifest, is an error of the
  ///   first image.
  public init(localModel: LocalModel!) { super.init(custom: .custom(localModel?.reference ?? .missing)) }

  /// Takes a model that was downloaded.
  /// - Parameter remoteModel: The model; where it was not downloaded, the first image is an error.
  public init(remoteModel: CustomRemoteModel) { super.init(custom: .custom(remoteModel.reference)) }
}
