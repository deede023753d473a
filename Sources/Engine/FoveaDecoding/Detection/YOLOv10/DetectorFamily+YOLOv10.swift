// SPDX-License-Identifier: Apache-2.0

extension DetectorFamily {
  /// YOLOv10, YOLO26 and others that answer end to end: a row for each object, none twice.
  ///
  /// **Source:** Ultralytics, `nn/modules/head.py`, `Detect` (end to end, a row for each of the best);
  /// `engine/predictor.py`, `preprocess` (centre, RGB, 0…1).
  public static let yolov10: DetectorFamily = .init(
    name: "yolov10", aliases: ["yolo26", "yolov26"],
    rule:
      "one output [1, K, 6], K at most 1,000: left, top, right, bottom, score, class; or with masks, points or an angle"
      + " behind these, as prototypes or the exporter's description show",
    input: .ultralytics, labels: .atLeast,
    addReadings: { output, readings in
      // A row of six numbers for each of the best; their number is the exporter's choice, 300 as a rule.
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
    // A long dimension is that of answers.
    let rest = output.last - 6
    guard rest <= 1000 else { return nil }
    let extra = output.masks > 0 ? .masks(output.masks) : YOLOExtra(task: task ?? output.task, count: rest)
    guard rest == extra?.count ?? 0 else { return nil }
    self.init(family: .yolov10, output: output.index, rows: output.first, columns: output.last, extra: extra)
  }

  /// Rows of the best answers with points or an angle behind the class, of a model that is not described and whose caller
  /// names a family of this `task`.
  ///
  /// With an angle, any number of rows that is no grid's: as one row a cell of two classes, these would have the class's
  /// number for a score. With points more than 1,000 rows are those of cells.
  init?(endToEnd output: YOLOOutput, task: String) {
    guard output.task == nil || output.task == task, output.masks == 0, output.first <= 1000 || task == "obb",
      output.first > output.last, output.last > 6, output.grid(of: output.first) == nil
    else { return nil }
    self.init(yolov10: output, task: task)
  }

  /// Rotated boxes as Ultralytics exports them: 300 rows with an angle behind the class.
  fileprivate init?(rotated output: YOLOOutput) {
    guard output.first == 300, output.last == 7 else { return nil }
    self.init(endToEnd: output, task: "obb")
  }

  /// COCO's people as Ultralytics exports them: 300 rows with 17 points of three numbers, which nothing else has.
  fileprivate init?(people output: YOLOOutput) {
    guard output.task == nil, output.first == 300, output.last == 6 + 17 * 3 else { return nil }
    self.init(endToEnd: output, task: "pose")
  }
}
