// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// How the models of a family want their image, where neither the caller nor the model's metadata say otherwise.
public struct DetectorInput: Sendable, Hashable {
  /// How an image of other proportions is fitted in; nil stretches it.
  public var letterbox: Letterbox?
  /// What pixels 0…255 become: (pixel − mean) / deviation; nil where the family has models of several kinds.
  public var normalization: Normalization?
  /// Whether a pixel's numbers are blue, green, red, as OpenCV reads images; false for red, green, blue.
  public var isBGR: Bool
  /// Whether a larger image is sampled with two taps, as TensorFlow 1 and MediaPipe do; false for antialiasing.
  public var usesTwoTaps: Bool

  /// Makes a description; without arguments, RGB that is stretched.
  public init(
    letterbox: Letterbox? = nil, normalization: Normalization? = nil, isBGR: Bool = false,
    usesTwoTaps: Bool = false
  ) {
    self.letterbox = letterbox
    self.normalization = normalization
    self.isBGR = isBGR
    self.usesTwoTaps = usesTwoTaps
  }
}

extension Normalization {
  /// The 0…1 that most families want.
  static let fractions = Normalization(mean: [0], standardDeviation: [255])
}
