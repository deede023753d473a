// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension DetectorFamily {
  /// YOLOv5 and others of its layout: three decoded rows for each cell with objectness and classes.
  ///
  /// **Source:** Ultralytics YOLOv5, `models/tf.py`, `TFDetect` (three rows for each cell); `detect.py` (centre,
  /// RGB, 0…1).
  public static let yolov5: DetectorFamily = .init(
    name: "yolov5", aliases: ["yolov7"],
    rule:
      "one output [1, 3 N, 5 + C], N the number of cells (25,200 rows at 640 × 640): box, objectness, C classes",
    input: .ultralytics, labels: .oneForEach,
    addReadings: { output, readings in
      guard output.last >= 6, let grid = output.grid(of: output.first, perCell: 3) else { return }
      readings.append(
        YOLOLayout(
          family: .yolov5, rows: output.first, columns: output.last, classCount: output.last - 5, grid: grid))
    },
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
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.yoloHead(of: .yolov5, isAsked: isAsked) { output in
        guard output.last >= 6 else { return nil }
        return YOLOLayout(
          family: .yolov5, rows: output.first, columns: output.last, classCount: output.last - 5)
      }.map(YOLOv5Decoder.init)
    })
}
