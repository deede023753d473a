// SPDX-License-Identifier: Apache-2.0

public import FoveaCompatibility
public import MLKitCommon
public import MLKitImageLabelingCommon

/// Options of a labeler with a classifier of your own.
public final class CustomImageLabelerOptions: CommonImageLabelerOptions {
  /// The largest number of labels, 10 by default; a number that is not positive counts as 10.
  public var maxResultCount = DetectionRequest.defaultMaxLabels {
    didSet {
      custom.maxLabels = OptionValues.count(maxResultCount, default: DetectionRequest.defaultMaxLabels)
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
