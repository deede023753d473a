// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension DetectorFamily {
  /// YOLOv8, 9, 11 and 12: a column or row for each cell with classes, without objectness.
  ///
  /// **Source:** Ultralytics, `nn/modules/head.py`, `Detect` (one column for each cell), `engine/predictor.py`,
  /// `preprocess` (centre, RGB, 0…1).
  public static let yolov8: DetectorFamily = .init(
    name: "yolov8", aliases: ["yolov9", "yolo11", "yolov11", "yolo12", "yolov12"],
    rule:
      "one output [1, 4 + C, N] or [1, N, 4 + C], N the number of cells (8,400 at 640 × 640): box, C classes",
    input: .ultralytics, labels: .oneForEach,
    addReadings: { output, readings in
      // What Ultralytics writes goes before the other way round, should both dimensions fit.
      if output.first >= 5, let grid = output.grid(of: output.last) {
        readings.append(YOLOLayout(yolov8: output, isTransposed: true, grid: grid))
      } else if output.last >= 5, let grid = output.grid(of: output.first) {
        readings.append(YOLOLayout(yolov8: output, isTransposed: false, grid: grid))
      }
    },
    nearest: { signature in
      if let nearest = NearestFamily(list: signature, as: .yolov8) { return nearest }
      let ranks = signature.outputs.map(\.shape.count)
      guard ranks.count == 2, ranks.contains(3), ranks.contains(4) else { return nil }
      return NearestFamily(
        .yolov8, "there is a second output, as models that also find masks have",
        remedy: "Export a model for detection; masks are not read")
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.yoloHead(of: .yolov8, isAsked: isAsked) { output in
        guard min(output.first, output.last) >= 5 else { return nil }
        // There are more answers than classes.
        return YOLOLayout(yolov8: output, isTransposed: output.first < output.last)
      }.map(YOLOv8Decoder.init)
    })
}

extension YOLOLayout {
  fileprivate init(yolov8 output: YOLOOutput, isTransposed: Bool, grid: YOLOGrid? = nil) {
    let (rows, columns) = isTransposed ? (output.last, output.first) : (output.first, output.last)
    self.init(
      family: .yolov8, rows: rows, columns: columns, isTransposed: isTransposed, classCount: columns - 4,
      grid: grid)
  }
}
