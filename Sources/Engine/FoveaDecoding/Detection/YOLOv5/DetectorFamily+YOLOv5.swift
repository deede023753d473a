// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension DetectorFamily {
  /// YOLOv5 and other models with its layout: three decoded rows per cell with objectness and classes.
  ///
  /// **Source:** Ultralytics YOLOv5, `models/tf.py`, `TFDetect` (three rows per cell) and `TFSegment`;
  /// `detect.py` (centre, RGB, 0…1).
  public static let yolov5: DetectorFamily = .init(
    name: "yolov5", aliases: ["yolov7", "yolov5-seg", "swift-yolo"],
    rule:
      "one output [1, 3 N, 5 + C] for N cells (25,200 rows at 640 × 640): box, objectness, C"
      + " classes; or [1, 3 N, 5 + C + M] and the M prototypes of masks",
    input: .ultralytics, labels: .oneForEach,
    addReadings: { output, readings in
      guard let grid = output.grid(of: output.first, perCell: 3) else { return }
      if let layout = YOLOLayout(yolov5: output, grid: grid) { readings.append(layout) }
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
        // The cells of a YOLOv8 model would be taken for thousands of classes.
        output.isTransposed ? nil : YOLOLayout(yolov5: output)
      }.map(YOLOv5Decoder.init)
    })
}

extension YOLOLayout {
  fileprivate init?(yolov5 output: YOLOOutput, grid: YOLOGrid? = nil) {
    guard let (classCount, extra) = output.classes(of: output.last, after: 5) else { return nil }
    self.init(
      family: .yolov5, output: output.index, rows: output.first, columns: output.last, classCount: classCount,
      grid: grid, extra: extra)
  }
}
