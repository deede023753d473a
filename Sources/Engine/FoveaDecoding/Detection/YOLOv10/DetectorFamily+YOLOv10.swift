// SPDX-License-Identifier: Apache-2.0

extension DetectorFamily {
  /// YOLOv10, YOLO26 and other end-to-end models: one row per object, without duplicates.
  ///
  /// **Source:** Ultralytics, `nn/modules/head.py`, `Detect` (end to end, one row for each of the best);
  /// `engine/predictor.py`, `preprocess` (centre, RGB, 0…1).
  public static let yolov10: DetectorFamily = .init(
    name: "yolov10", aliases: ["yolo26", "yolov26"],
    rule:
      "one output [1, K, 6], K at most 1,000: left, top, right, bottom, score, class; or with masks, points"
      + " or an angle behind these, as prototypes or the exporter's description show",
    input: .ultralytics, labels: .atLeast,
    addReadings: { output, readings in
      // Rows of six numbers for the best detections; the exporter chooses their number, usually 300.
      guard output.first <= 1000, readings.isEmpty,
        let layout = YOLOLayout(yolov10: output) ?? YOLOLayout(people: output)
      else { return }
      readings.append(layout)
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.yoloHead(of: .yolov10, isAsked: isAsked) { output in
        YOLOLayout(yolov10: output) ?? YOLOLayout(rotated: output)
          ?? YOLOLayout(endToEnd: output, task: "pose")
      }.map(YOLOv10Decoder.init)
    })
}

extension YOLOLayout {
  fileprivate init?(yolov10 output: YOLOOutput, task: String? = nil) {
    // A long dimension is the number of rows.
    let rest = output.last - 6
    guard rest <= 1000 else { return nil }
    let extra = output.masks > 0 ? .masks(output.masks) : YOLOExtra(task: task ?? output.task, count: rest)
    guard rest == extra?.count ?? 0 else { return nil }
    self.init(family: .yolov10, output: output.index, rows: output.first, columns: output.last, extra: extra)
  }

  /// Rows of the best detections with points or an angle after the class, for a model without a declared task
  /// whose caller names a family of this `task`.
  ///
  /// With an angle, any number of rows that no grid has: with one row per cell of two classes, the class's
  /// number would be read as a score. With points, more than 1,000 rows are rows of cells.
  init?(endToEnd output: YOLOOutput, task: String) {
    guard output.task == nil || output.task == task, output.masks == 0, output.first <= 1000 || task == "obb",
      output.first > output.last, output.last > 6, output.grid(of: output.first) == nil
    else { return nil }
    self.init(yolov10: output, task: task)
  }

  /// Rotated boxes in Ultralytics exports: 300 rows with an angle after the class.
  fileprivate init?(rotated output: YOLOOutput) {
    guard output.first == 300, output.last == 7 else { return nil }
    self.init(endToEnd: output, task: "obb")
  }

  /// COCO's people in Ultralytics exports: 300 rows with 17 points of three numbers, a unique shape.
  fileprivate init?(people output: YOLOOutput) {
    guard output.task == nil, output.first == 300, output.last == 6 + 17 * 3 else { return nil }
    self.init(endToEnd: output, task: "pose")
  }
}
