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
  /// EfficientDet: stretched by TensorFlow's `resize_bilinear`, see `ImageTensorSpec.Sampling.twoTaps`. MediaPipe,
  /// `face_detection.pbtxt` and `palm_detection_cpu.pbtxt` (centre, black bars; −1…1 and 0…1). NanoDet,
  /// `config/nanodet-plus-m_320.yml` (stretched, BGR, ImageNet's statistics); PaddleDetection, `picodet_320_reader.yml`
  /// (stretched, RGB, the same statistics). Darkflow, `net/yolov2/predict.py`, `resize_input` (stretched, RGB, 0…1). Edge
  /// Impulse's image block (0…1).
  public var input: DetectorInput {
    switch self {
    case .yolox:
      DetectorInput(
        letterbox: Letterbox(.topLeft), normalization: Normalization(mean: [0], standardDeviation: [1]),
        isBGR: true)
    case .yolov5, .yolov8, .yolov10:
      DetectorInput(
        letterbox: Letterbox(.center), normalization: Normalization(mean: [0], standardDeviation: [255]))
    case .mediaPipeFace:
      DetectorInput(
        letterbox: Letterbox(.center, padding: 0),
        normalization: Normalization(mean: [127.5], standardDeviation: [127.5]), usesTwoTaps: true)
    case .mediaPipePalm:
      DetectorInput(
        letterbox: Letterbox(.center, padding: 0),
        normalization: Normalization(mean: [0], standardDeviation: [255]), usesTwoTaps: true)
    case .fomo, .yolov2:
      DetectorInput(normalization: Normalization(mean: [0], standardDeviation: [255]))
    case .nanodet:
      // In the order of the channels: blue, green, red.
      DetectorInput(
        normalization: Normalization(
          mean: [103.53, 116.28, 123.675], standardDeviation: [57.375, 57.12, 58.395]), isBGR: true)
    case .picodet:
      DetectorInput(
        normalization: Normalization(
          mean: [123.675, 116.28, 103.53], standardDeviation: [58.395, 57.12, 57.375]))
    case .yoloxSuppressed: DetectorFamily.yolox.input
    default: DetectorInput(usesTwoTaps: true)
    }
  }
}
