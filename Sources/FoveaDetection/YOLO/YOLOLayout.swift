// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// One way to read the output of a YOLO model: as which family, which dimension is which, how many classes.
struct YOLOLayout: Sendable, Hashable {
  var family: DetectorFamily
  /// The answers.
  var rows: Int
  /// The numbers of an answer.
  var columns: Int
  /// Whether the answers stand along the last dimension: [1, columns, rows].
  var isTransposed = false
  /// nil where the answers name their class by number.
  var classCount: Int?
  /// The cells that the answers come from; nil where their number is that of no grid.
  var grid: YOLOGrid?

  /// Every way in which the output can be read.
  ///
  /// **Source:** YOLOX, `yolox/models/yolo_head.py` (one row for each cell); YOLOv5, `models/tf.py`, `TFDetect` (three
  /// rows for each cell); Ultralytics, `nn/modules/head.py`, `Detect` (one column for each cell; end to end, a row for
  /// each of the best).
  static func all(for signature: ModelSignature) -> [YOLOLayout] {
    guard let (first, last) = dimensions(of: signature) else { return [] }
    let grids = YOLOGrid.all(for: signature)
    var layouts: [YOLOLayout] = []
    if last >= 5, let grid = grids.first(where: { $0.count == first }) {
      if last >= 6 {
        layouts.append(
          YOLOLayout(family: .yolox, rows: first, columns: last, classCount: last - 5, grid: grid))
      }
      layouts.append(
        YOLOLayout(family: .yolov8, rows: first, columns: last, classCount: last - 4, grid: grid))
    }
    if last >= 6, let grid = grids.first(where: { $0.count * 3 == first }) {
      layouts.append(
        YOLOLayout(family: .yolov5, rows: first, columns: last, classCount: last - 5, grid: grid))
    }
    if first >= 5, let grid = grids.first(where: { $0.count == last }) {
      // What Ultralytics writes goes before the other way round, should both dimensions fit.
      layouts.removeAll { $0.family == .yolov8 }
      layouts.append(
        YOLOLayout(
          family: .yolov8, rows: last, columns: first, isTransposed: true, classCount: first - 4, grid: grid))
    }
    // The classes of NanoDet, and four distributions after them.
    for layout in DistanceLayout.all(for: signature) where !layouts.contains(where: { $0.classCount == 80 }) {
      // The longer distributions are of few models: they need COCO's classes to be believed.
      guard layout.bins == DistanceLayout.knownBins[0] || layout.classCount == 80 else { continue }
      layouts.append(
        YOLOLayout(
          family: layout.family, rows: first, columns: last, classCount: layout.classCount, grid: layout.grid)
      )
    }
    // A row of six numbers for each of the best; their number is the exporter's choice, 300 as a rule.
    if last == 6, layouts.isEmpty, first <= 1000 {
      layouts.append(YOLOLayout(family: .yolov10, rows: first, columns: 6))
    }
    return layouts
  }

  /// The way to read the output as the family that the caller names: its rows need not be those of a grid, unless the
  /// grid is needed.
  init?(_ signature: ModelSignature, as family: DetectorFamily) {
    if let layout = Self.all(for: signature).first(where: { $0.family == family }) {
      self = layout
      return
    }
    guard let (first, last) = Self.dimensions(of: signature), YOLOGrid.inputSize(of: signature) != nil else {
      return nil
    }
    switch family {
    case .yolov5 where last >= 6: self.init(family: family, rows: first, columns: last, classCount: last - 5)
    case .yolov8 where min(first, last) >= 5:
      // There are more answers than classes.
      let isTransposed = first < last
      let columns = min(first, last)
      self.init(
        family: family, rows: max(first, last), columns: columns, isTransposed: isTransposed,
        classCount: columns - 4)
    case .yolov10 where last == 6: self.init(family: family, rows: first, columns: last)
    default: return nil
    }
  }

  init(
    family: DetectorFamily, rows: Int, columns: Int, isTransposed: Bool = false, classCount: Int? = nil,
    grid: YOLOGrid? = nil
  ) {
    self.family = family
    self.rows = rows
    self.columns = columns
    self.isTransposed = isTransposed
    self.classCount = classCount
    self.grid = grid
  }

  /// The two dimensions of the one output [1, first, last].
  private static func dimensions(of signature: ModelSignature) -> (first: Int, last: Int)? {
    guard signature.outputs.count == 1, let output = signature.outputs.first, output.shape.count == 3,
      output.shape[0] == 1, output.shape[1] > 0, output.shape[2] > 0,
      !output.shape[1].multipliedReportingOverflow(by: output.shape[2]).overflow,
      [.float32, .uint8, .int8].contains(output.elementType)
    else { return nil }
    return (output.shape[1], output.shape[2])
  }

  /// "yolox with 80 classes".
  var summary: String {
    guard let classCount else { return family.name }
    return "\(family) with \(classCount) \(classCount == 1 ? "class" : "classes")"
  }
}
