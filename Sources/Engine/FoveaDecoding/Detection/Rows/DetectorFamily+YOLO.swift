// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// YOLO's families and those with its layouts.
extension DetectorFamily {
  /// YOLOX: one row per cell with objectness and classes, decoded or not.
  ///
  /// **Source:** Ge et al., "YOLOX: Exceeding YOLO Series in 2021"; YOLOX, `yolox/models/yolo_head.py` (one
  /// row per cell); `yolox/data/data_augment.py`, `preproc` and `ValTransform` (top left, BGR, 0…255); IoU
  /// from `demo/ONNXRuntime/onnx_inference.py` (the evaluation in `yolox/exp/yolox_base.py` uses 0.65).
  public static let yolox: DetectorFamily = .init(
    name: "yolox",
    rule: "one output [1, N, 5 + C] for N cells (8,400 at 640 × 640): box, objectness, C classes",
    input: DetectorInput(
      letterbox: Letterbox(.topLeft), normalization: Normalization(mean: [0], standardDeviation: [1]),
      isBGR: true),
    labels: .oneForEach, forms: [RowForm(tensors: ["x o C"], rows: .cells(1))], iou: 0.45,
    isRelativeToCells: true)

  /// YOLOv6: rows as YOLOX, but the objectness is 1 in all of them, and the image is that of YOLOv5.
  ///
  /// **Source:** meituan/YOLOv6, `yolov6/models/effidehead.py`, `Detect` (boxes in pixels, ones, classes);
  /// `yolov6/core/inferer.py` (centre, RGB, 0…1); `tools/infer.py` (IoU).
  public static let yolov6: DetectorFamily = .init(
    name: "yolov6",
    rule: "one output [1, N, 5 + C] as YOLOX's, if the family is named: box, an objectness of 1, C classes",
    input: .ultralytics, labels: .oneForEach,
    forms: [RowForm(tensors: ["x o C"], rows: .cells(1), evidence: .name)], iou: 0.45)

  /// YOLOv5 and other models with its layout: three decoded rows per cell with objectness and classes.
  ///
  /// Boxes are in fractions in Ultralytics' own TFLite exports, or in pixels in conversions through ONNX;
  /// scores are 0…1, or percent in Swift-YOLO (see `PercentScores`).
  ///
  /// **Source:** Ultralytics YOLOv5, `models/tf.py`, `TFDetect` (three rows per cell) and `TFSegment`;
  /// `detect.py` (centre, RGB, 0…1; IoU).
  public static let yolov5: DetectorFamily = .init(
    name: "yolov5", aliases: ["yolov7", "yolov5-seg", "swift-yolo"],
    rule:
      "one output [1, 3 N, 5 + C] for N cells (25,200 rows at 640 × 640): box, objectness, C"
      + " classes; or [1, 3 N, 5 + C + M] and the M prototypes of masks",
    input: .ultralytics, labels: .oneForEach,
    forms: [
      RowForm(tensors: ["x o C M"], rows: .cells(3), allowsAnyRows: true),
      RowForm(tensors: ["x o C"], rows: .cells(3), allowsAnyRows: true),
    ], iou: 0.45,
    nearest: { signature in
      if let nearest = NearestFamily(list: signature, as: .yolov5) { return nearest }
      let outputs = signature.outputs
      guard !outputs.isEmpty, outputs.allSatisfy({ [4, 5].contains($0.shape.count) }) else { return nil }
      return NearestFamily(
        .yolov5,
        outputs.count == 1
          ? "the output is a feature map itself, not a list of boxes"
          : "the \(outputs.count) outputs are the feature maps themselves, not joined and not decoded",
        remedy: "Export the model with its last layer, so that there is one output of decoded boxes")
    })

  /// YOLOv5-Face: as YOLOv5 in pixels, with the eyes, the nose and the corners of the mouth before the class.
  ///
  /// **Source:** deepcam-cn/yolov5-face, `models/yolo.py`, `Detect`; `detect_face.py` (letterbox, RGB; IoU).
  public static let yolov5Face: DetectorFamily = .init(
    name: "yolov5-face", aliases: ["yolov5face"],
    rule: "one output [1, 3 N, 16] for N cells, if the family is named: box, objectness, x and y of the five"
      + " points of a face, score",
    input: .ultralytics, labels: .oneForEach,
    forms: [RowForm(tensors: ["x o F C"], rows: .cells(3), evidence: .name)], iou: 0.5,
    classNames: ["face"])

  /// YOLOv8, 9, 11 and 12: one column or row per cell with classes, without objectness; also with masks.
  ///
  /// The distribution over distances is already resolved. Boxes are edges in LibreYOLO's YOLOv9.
  ///
  /// **Source:** Ultralytics, `nn/modules/head.py`, `Detect` (one column per cell), `engine/predictor.py`,
  /// `preprocess` (centre, RGB, 0…1), `cfg/default.yaml` (IoU); masks as in roboflow/inference (Apache-2.0),
  /// `core/utils/postprocess.py`.
  public static let yolov8: DetectorFamily = .init(
    name: "yolov8",
    aliases: ["yolov9", "yolo11", "yolov11", "yolo12", "yolov12", "yolov8-seg", "yolo11-seg"],
    rule:
      "one output [1, 4 + C, N] or [1, N, 4 + C] for N cells (8,400 at 640 × 640): box, C classes;"
      + " or with M numbers more, and the M prototypes of masks [1, H ÷ 4, W ÷ 4, M]",
    input: .ultralytics, labels: .oneForEach,
    // If both dimensions fit, the order that Ultralytics writes takes precedence.
    forms: [
      RowForm(tensors: ["b C M"], rows: .cells(1), isTransposed: [true, false], allowsAnyRows: true),
      RowForm(
        tensors: ["b C"], rows: .cells(1), isTransposed: [true, false], allowsAnyRows: true,
        isForAnyTask: true),
    ], iou: 0.7, kin: ["yolov8-pose", "yolov8-obb"],
    nearest: { signature in
      if let nearest = NearestFamily(list: signature, as: .yolov8) { return nearest }
      let ranks = signature.outputs.map(\.shape.count)
      guard ranks.count == 2, ranks.contains(3), ranks.contains(4) else { return nil }
      return NearestFamily(
        .yolov8,
        "there is a second output, as models that also find masks have, but not of a quarter"
          + " of the input's side",
        remedy: "Export the model at the size it was made for, or one for detection")
    })

  /// YOLOv8, 11 and others that find points on each object: like `yolov8`, with the points after the classes.
  ///
  /// **Source:** rows as in `yolov8`; points from Ultralytics documentation, "Pose Estimation".
  public static let yolov8Pose: DetectorFamily = .init(
    name: "yolov8-pose", aliases: ["yolo11-pose", "yolo26-pose"],
    rule:
      "one output [1, 4 + C + P, N] or [1, N, 4 + C + P]: box, C classes, and P numbers of points, as the"
      + " exporter's description with its labels or a label file shows"
      + " (one class and 17 points of 3: [1, 56, N])",
    input: .ultralytics, labels: .oneForEach,
    forms: [
      RowForm(tensors: ["e s c P"], rows: .best, evidence: .name, decodedAs: "yolov10"),
      RowForm(tensors: ["b C P"], rows: .cells(1), isTransposed: [true, false], allowsAnyRows: true),
    ], iou: 0.7)

  /// YOLOv8, 11 and others that find rotated boxes: like `yolov8`, with the angle after the classes.
  ///
  /// **Source:** Ultralytics documentation, "Oriented Bounding Boxes Object Detection".
  public static let yolov8OBB: DetectorFamily = .init(
    name: "yolov8-obb", aliases: ["yolo11-obb", "yolo26-obb"],
    rule:
      "one output [1, 4 + C + 1, N] or [1, N, 4 + C + 1]: box, C classes, and an angle,"
      + " as the exporter's description shows",
    input: .ultralytics, labels: .oneForEach,
    forms: [
      RowForm(tensors: ["x s c a"], rows: .best, evidence: .name, decodedAs: "yolov10"),
      RowForm(tensors: ["b C a"], rows: .cells(1), isTransposed: [true, false], allowsAnyRows: true),
    ], iou: 0.7)

  /// YOLOv10, YOLO26 and other end-to-end models: one row per object, without duplicates.
  ///
  /// Boxes are in fractions in Ultralytics exports through TensorFlow, or in pixels in exports through
  /// LiteRT. Nothing is suppressed unless the caller asks for it.
  ///
  /// **Source:** Wang et al., "YOLOv10: Real-Time End-to-End Object Detection"; Ultralytics,
  /// `nn/modules/head.py`, `Detect` (end to end, one row for each of the best); `engine/predictor.py`,
  /// `preprocess` (centre, RGB, 0…1); `nn/backends/litert.py`.
  public static let yolov10: DetectorFamily = .init(
    name: "yolov10", aliases: ["yolo26", "yolov26"],
    rule:
      "one output [1, K, 6], K at most 1,000: left, top, right, bottom, score, class; or with masks, points"
      + " or an angle behind these, as prototypes or the exporter's description show",
    input: .ultralytics, labels: .atLeast,
    forms: [
      RowForm(tensors: ["e s c M"], rows: .best, evidence: .noOther),
      RowForm(tensors: ["e s c P"], rows: .best, evidence: .noOther),
      RowForm(tensors: ["x s c a"], rows: .best, evidence: .noOther),
      RowForm(tensors: ["e s c"], rows: .best, evidence: .noOther),
    ])

  /// YOLOv3 and v4 with boxes and scores as two outputs: three decoded rows per cell.
  ///
  /// A score is objectness · class, both after their sigmoid. Boxes are centre and size, or edges in PyTorch
  /// exports, in pixels or fractions.
  ///
  /// **Source:** hunglc007/tensorflow-yolov4-tflite (MIT), `core/yolov4.py`, `decode_tflite`; `detect.py`
  /// (stretched, RGB, 0…1; IoU); edges: Tianxiaomo/pytorch-YOLOv4 (Apache-2.0), `tool/yolo_layer.py`,
  /// `yolo_forward`.
  public static let yolov4: DetectorFamily = .init(
    name: "yolov4", aliases: ["yolov3", "yolov3-tiny", "yolov4-tiny"],
    rule:
      "two outputs in either order, boxes [1, 3 N, 4] and scores [1, 3 N, C] for N cells (10,647"
      + " rows at 416 × 416, 2,535 with two maps)",
    input: DetectorInput(normalization: .fractions), labels: .oneForEach,
    forms: [
      RowForm(tensors: ["b", "C"], rows: .cells(3), isTransposed: [false, true], allowsAnyRows: true)
    ], iou: 0.45)
}
