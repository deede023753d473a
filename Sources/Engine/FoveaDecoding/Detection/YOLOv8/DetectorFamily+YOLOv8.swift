// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension DetectorFamily {
  /// YOLOv8, 9, 11 and 12: one column or row per cell with classes, without objectness; also with masks.
  ///
  /// **Source:** Ultralytics, `nn/modules/head.py`, `Detect` (one column per cell), `engine/predictor.py`,
  /// `preprocess` (centre, RGB, 0…1); masks as in roboflow/inference (Apache-2.0),
  /// `core/utils/postprocess.py`.
  public static let yolov8: DetectorFamily = .init(
    name: "yolov8",
    aliases: ["yolov9", "yolo11", "yolov11", "yolo12", "yolov12", "yolov8-seg", "yolo11-seg"],
    rule:
      "one output [1, 4 + C, N] or [1, N, 4 + C] for N cells (8,400 at 640 × 640): box, C classes;"
      + " or with M numbers more, and the M prototypes of masks [1, H ÷ 4, W ÷ 4, M]",
    input: .ultralytics, labels: .oneForEach,
    addReadings: { output, readings in
      // If both dimensions fit, the order that Ultralytics writes takes precedence.
      if let layout = YOLOLayout(yolov8: output, isTransposed: true, output.grid(of: output.last)) {
        readings.append(layout)
      } else if let layout = YOLOLayout(yolov8: output, isTransposed: false, output.grid(of: output.first)) {
        readings.append(layout)
      }
    },
    nearest: { signature in
      if let nearest = NearestFamily(list: signature, as: .yolov8) { return nearest }
      let ranks = signature.outputs.map(\.shape.count)
      guard ranks.count == 2, ranks.contains(3), ranks.contains(4) else { return nil }
      return NearestFamily(
        .yolov8,
        "there is a second output, as models that also find masks have, but not of a quarter"
          + " of the input's side",
        remedy: "Export the model at the size it was made for, or one for detection: masks are not read")
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.yoloHead(of: .yolov8, or: [.yolov8Pose, .yolov8OBB], isAsked: isAsked) { output in
        // There are more rows than classes.
        YOLOLayout(anyYOLOv8: output)
      }.map(YOLOv8Decoder.init)
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
    addReadings: { output, readings in
      // COCO's people, or fewer labels than numbers. Anything else needs the description, as the shape is
      // also that of many classes.
      let hasPoints = YOLOLayout.labelsShowPoints(output, readings)
      guard
        output.task == "pose" || hasPoints
          || output.task == nil && readings.contains(where: { $0.classCount == 52 }),
        let layout = YOLOLayout(
          beyond: output, as: .yolov8Pose, task: "pose", isAsked: false, labelsDecide: hasPoints)
      else { return }
      readings.append(layout)
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.yoloHead(of: .yolov8Pose, isAsked: isAsked) { output in
        YOLOLayout(endToEnd: output, task: "pose")
          ?? YOLOLayout(beyond: output, as: .yolov8Pose, task: "pose", isAsked: true)
      }.map(YOLOv8Decoder.orEndToEnd)
    })

  /// YOLOv8, 11 and others that find rotated boxes: like `yolov8`, with the angle after the classes.
  ///
  /// **Source:** Ultralytics documentation, "Oriented Bounding Boxes Object Detection".
  public static let yolov8OBB: DetectorFamily = .init(
    name: "yolov8-obb", aliases: ["yolo11-obb", "yolo26-obb"],
    rule:
      "one output [1, 4 + C + 1, N] or [1, N, 4 + C + 1]: box, C classes, and an angle,"
      + " as the exporter's description shows",
    input: .ultralytics, labels: .oneForEach,
    addReadings: { output, readings in
      guard output.task == "obb",
        let layout = YOLOLayout(beyond: output, as: .yolov8OBB, task: "obb", isAsked: false)
      else { return }
      readings.append(layout)
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.yoloHead(of: .yolov8OBB, isAsked: isAsked) { output in
        YOLOLayout(endToEnd: output, task: "obb")
          ?? YOLOLayout(beyond: output, as: .yolov8OBB, task: "obb", isAsked: true)
      }.map(YOLOv8Decoder.orEndToEnd)
    })
}

extension YOLOLayout {
  /// Rows along one of the dimensions, if they are the cells of a grid.
  fileprivate init?(yolov8 output: YOLOOutput, isTransposed: Bool, _ grid: YOLOGrid?) {
    let columns = isTransposed ? output.first : output.last
    guard let grid, let (classCount, extra) = output.classes(of: columns, after: 4) else { return nil }
    self.init(
      family: .yolov8, output: output.index, rows: isTransposed ? output.last : output.first,
      columns: columns,
      isTransposed: isTransposed, classCount: classCount, grid: grid, extra: extra)
  }

  /// Any number of rows, which exceeds the numbers in a row.
  fileprivate init?(anyYOLOv8 output: YOLOOutput) {
    let isTransposed = output.first < output.last
    let columns = min(output.first, output.last)
    // Return the requested boxes even if the declared task requires points that the rows do not have.
    guard
      let (classCount, extra) = output.classes(of: columns, after: 4)
        ?? (columns > 4 ? (columns - 4, nil) : nil)
    else { return nil }
    self.init(
      family: .yolov8, output: output.index, rows: max(output.first, output.last), columns: columns,
      isTransposed: isTransposed, classCount: classCount,
      grid: output.grid(of: isTransposed ? output.last : output.first), extra: extra)
  }

  /// The smallest number of values for points that labels reveal: five points of a face.
  private static let leastPoints = 10

  /// The largest number of labels that is not taken for an incomplete label file: people, hands and animals.
  private static let fewLabels = 3

  /// Returns whether rows that can only be YOLOv8 have many more numbers than labels, as with points.
  ///
  /// COCO's 80 classes are never reinterpreted: a label file of another model next to them is an error. So is
  /// an incomplete label file, as models find points on a few kinds of objects, or many points on each.
  fileprivate static func labelsShowPoints(_ output: YOLOOutput, _ readings: [YOLOLayout]) -> Bool {
    guard output.task == nil, readings.count == 1, readings[0].family == .yolov8, readings[0].extra == nil,
      let classCount = readings[0].classCount, classCount != 80, let labelCount = output.labelCount,
      labelCount > 0, classCount - labelCount >= leastPoints,
      labelCount <= fewLabels || classCount - labelCount >= leastPoints * labelCount
    else { return false }
    return YOLOExtra(task: "pose", count: classCount - labelCount) != nil
  }

  /// Rows of a `task` with points or an angle after the classes, as the labels or the width show.
  ///
  /// The rows are the cells of a grid, unless the caller names the family.
  fileprivate init?(
    beyond output: YOLOOutput, as family: DetectorFamily, task: String, isAsked: Bool,
    labelsDecide: Bool = false
  ) {
    let (across, along) = (output.grid(of: output.last), output.grid(of: output.first))
    guard output.masks == 0, isAsked || across != nil || along != nil else { return nil }
    let isTransposed = across != nil || along == nil && output.first < output.last
    let columns = isTransposed ? output.first : output.last
    // An angle is one number. Only COCO's people are known by their width; most other point models have one
    // class.
    let isOneClass = task == "pose" && (columns == 56 || isAsked && output.labelCount == nil)
    let usual: Int? = task == "obb" ? columns - 5 : isOneClass ? 1 : nil
    let isKnown = isAsked || labelsDecide || output.task == task
    guard isKnown || usual == 1, let classCount = isKnown ? output.labelCount ?? usual : usual,
      classCount > 0, let extra = YOLOExtra(task: task, count: columns - 4 - classCount)
    else { return nil }
    self.init(
      family: family, output: output.index, rows: isTransposed ? output.last : output.first, columns: columns,
      isTransposed: isTransposed, classCount: classCount, grid: isTransposed ? across : along, extra: extra)
    isDescribed = output.task == task
    isClassAssumed = isOneClass && columns != 56
  }
}
