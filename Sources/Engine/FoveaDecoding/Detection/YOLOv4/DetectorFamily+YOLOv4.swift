// SPDX-License-Identifier: Apache-2.0

extension DetectorFamily {
  /// YOLOv3 and v4 with boxes and scores as two outputs: three decoded rows per cell.
  ///
  /// **Source:** hunglc007/tensorflow-yolov4-tflite (MIT), `core/yolov4.py`, `decode_tflite`; `detect.py`
  /// (stretched, RGB, 0…1).
  public static let yolov4: DetectorFamily = .init(
    name: "yolov4", aliases: ["yolov3", "yolov3-tiny", "yolov4-tiny"],
    rule:
      "two outputs in either order, boxes [1, 3 N, 4] and scores [1, 3 N, C] for N cells (10,647"
      + " rows at 416 × 416, 2,535 with two maps)",
    input: DetectorInput(normalization: .fractions), labels: .oneForEach,
    recognize: { model, isAsked throws(DetectionError) in
      try YOLOv4Decoder(recognizing: model, isAsked: isAsked)
    })
}
