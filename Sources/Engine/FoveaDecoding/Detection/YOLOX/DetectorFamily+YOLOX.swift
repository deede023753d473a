// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaMetadata

extension DetectorFamily {
  /// YOLOX: one row per cell with objectness and classes, decoded or not.
  ///
  /// **Source:** YOLOX, `yolox/models/yolo_head.py` (one row per cell); `yolox/data/data_augment.py`,
  /// `preproc` and `ValTransform` (top left, BGR, 0…255).
  public static let yolox: DetectorFamily = .init(
    name: "yolox",
    rule: "one output [1, N, 5 + C] for N cells (8,400 at 640 × 640): box, objectness, C classes",
    input: DetectorInput(
      letterbox: Letterbox(.topLeft), normalization: Normalization(mean: [0], standardDeviation: [1]),
      isBGR: true),
    labels: .oneForEach,
    addReadings: { output, readings in
      guard output.last >= 6, output.masks == 0, !output.isOfPoints, let grid = output.grid(of: output.first)
      else { return }
      readings.append(
        YOLOLayout(
          family: .yolox, output: output.index, rows: output.first, columns: output.last,
          classCount: output.last - 5, grid: grid))
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.yoloHead(of: .yolox, isAsked: isAsked).flatMap(YOLOXDecoder.init)
    })

  /// YOLOX and others that were exported with their suppression: seven numbers per object.
  public static let yoloxSuppressed: DetectorFamily = .init(
    name: "yolox-nms",
    rule:
      "one output [K, 7]: the image's number, left, top, right, bottom, score, class,"
      + " in one of the usual orders",
    input: yolox.input, labels: .atLeast,
    recognize: { model, isAsked throws(DetectionError) in
      guard let decoder = SuppressedDecoder(recognizing: model, isAsked: isAsked) else { return nil }
      if !isAsked, SuppressedDecoder.canBeRotated(model.signature) {
        throw DetectionError(
          .ambiguousFamily,
          "'\(model.modelName)' can be of several families: yolox-nms, or yolov10 with rotated boxes (-obb)."
            + " It has \(model.tensorList)",
          remedy:
            "Name the family, yolox-nms or yolov10 (\(option: "family")), or export the model"
            + " with its description"
        )
      }
      return decoder
    })
}
