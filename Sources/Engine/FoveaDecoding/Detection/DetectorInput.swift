// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The input that models of a family expect, unless the caller or the model's metadata override it.
public struct DetectorInput: Sendable, Hashable {
  /// The letterbox for images of other proportions; nil stretches them.
  public var letterbox: Letterbox?
  /// The mapping of pixels 0…255, (pixel − mean) / deviation; nil if models of the family differ.
  public var normalization: Normalization?
  /// Whether channels are in the order blue, green, red, as in OpenCV; false for red, green, blue.
  public var isBGR: Bool
  /// Whether larger images are sampled with two taps, as in TensorFlow 1 and MediaPipe, not antialiased.
  public var usesTwoTaps: Bool

  /// Creates a description; the default is RGB, stretched.
  package init(
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
  /// The range 0…1 that most families expect.
  static let fractions = Normalization(mean: [0], standardDeviation: [255])
  /// The range −1…1 of MediaPipe's detectors of faces and bodies.
  static let symmetric = Normalization(mean: [127.5], standardDeviation: [127.5])
}
