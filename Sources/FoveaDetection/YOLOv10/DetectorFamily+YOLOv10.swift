// SPDX-License-Identifier: Apache-2.0

extension DetectorFamily {
  /// YOLOv10, YOLO26 and others that answer end to end: a row for each object, none twice.
  ///
  /// **Source:** Ultralytics, `nn/modules/head.py`, `Detect` (end to end, a row for each of the best);
  /// `engine/predictor.py`, `preprocess` (centre, RGB, 0…1).
  public static let yolov10: DetectorFamily = .init(
    name: "yolov10", aliases: ["yolo26", "yolov26"],
    rule: "one output [1, K, 6], K at most 1,000: left, top, right, bottom, score, class",
    input: .ultralytics, labels: .atLeast,
    addReadings: { output, readings in
      // A row of six numbers for each of the best; their number is the exporter's choice, 300 as a rule.
      guard output.last == 6, output.first <= 1000, readings.isEmpty else { return }
      readings.append(YOLOLayout(family: .yolov10, rows: output.first, columns: 6))
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.yoloHead(of: .yolov10, isAsked: isAsked) { output in
        output.last == 6 ? YOLOLayout(family: .yolov10, rows: output.first, columns: 6) : nil
      }.map(YOLOv10Decoder.init)
    })
}
