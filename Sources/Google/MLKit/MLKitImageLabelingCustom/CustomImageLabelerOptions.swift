// SPDX-License-Identifier: Apache-2.0

public import FoveaCompatibility
public import MLKitCommon
public import MLKitImageLabelingCommon

/// Options of a labeler with a classifier of your own.
public final class CustomImageLabelerOptions: CommonImageLabelerOptions {
  /// The most labels, 10 by default; a number that is not positive counts as 10.
  public var maxResultCount = DetectionRequest.defaultMaxLabels {
    didSet {
      custom.maxLabels = OptionValues.count(maxResultCount, default: DetectionRequest.defaultMaxLabels)
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
