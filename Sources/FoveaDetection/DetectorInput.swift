// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaMetadata

/// How the models of a family want their picture, where neither the caller nor the model's metadata say otherwise.
public struct DetectorInput: Sendable, Hashable {
  /// How a picture of other proportions is fitted in; nil stretches it.
  public var letterbox: Letterbox?
  /// What pixels 0…255 become: (pixel − mean) / deviation; nil where the family has models of several kinds.
  public var normalization: Normalization?
  /// Whether a pixel's numbers are blue, green, red, as OpenCV reads pictures; false for red, green, blue.
  public var isBGR: Bool
  /// Whether a larger picture is sampled with two taps, as TensorFlow 1 and MediaPipe do; false for antialiasing.
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

extension DetectorFamily {
  /// How the models of the family want their picture.
  ///
  /// **Source:** YOLOX, `yolox/data/data_augment.py`, `preproc` and `ValTransform` (top left, BGR, 0…255); Ultralytics
  /// YOLOv5, `detect.py`, and YOLOv8, `engine/predictor.py`, `preprocess` (centre, RGB, 0…1). SSD and
  /// EfficientDet: stretched by TensorFlow's `resize_bilinear`, see `ImageTensorSpec.Sampling.twoTaps`.
  public var input: DetectorInput {
    switch self {
    case .yolox:
      DetectorInput(
        letterbox: Letterbox(.topLeft), normalization: Normalization(mean: [0], standardDeviation: [1]),
        isBGR: true)
    case .yolov5, .yolov8, .yolov10:
      DetectorInput(
        letterbox: Letterbox(.center), normalization: Normalization(mean: [0], standardDeviation: [255]))
    default: DetectorInput(usesTwoTaps: true)
    }
  }
}
