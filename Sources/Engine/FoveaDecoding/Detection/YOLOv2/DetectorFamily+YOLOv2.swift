// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

extension DetectorFamily {
  /// YOLOv2: one map of cells of 32 pixels, with five raw boxes per cell.
  ///
  /// **Source:** Darkflow, `net/yolov2/predict.py`, `resize_input` (stretched, RGB, 0…1); Darknet,
  /// `examples/detector.c` (IoU).
  public static let yolov2: DetectorFamily = .init(
    name: "yolov2",
    rule:
      "one output [1, H ÷ 32, W ÷ 32, 5 · (5 + C)]: five boxes for each cell, with objectness and C classes",
    input: DetectorInput(normalization: .fractions), labels: .oneForEach, iou: 0.45,
    recognize: { model, _ in YOLOv2Decoder(recognizing: model) })
}
