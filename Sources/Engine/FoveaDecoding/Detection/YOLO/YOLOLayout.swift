// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// One way to read the output of a YOLO model: family, order of the dimensions, number of classes.
struct YOLOLayout: Sendable, Hashable {
  var family: DetectorFamily
  /// The index of the output with the rows.
  var output = 0
  /// The number of rows.
  var rows: Int
  /// The number of values in a row.
  var columns: Int
  /// Whether the rows lie along the last dimension: [1, columns, rows].
  var isTransposed = false
  /// The number of classes; nil if rows contain the index of their class.
  var classCount: Int?
  /// The cells of the rows; nil if no grid has this number of rows.
  var grid: YOLOGrid?
  /// The values after the class scores, which are not read.
  var extra: YOLOExtra?
  /// Whether the exporter declares what follows the classes; otherwise the values must confirm it.
  var isDescribed = true
  /// Whether one class is assumed because nothing shows how many there are.
  var isClassAssumed = false

  /// The strides, in elements, between rows and between the values of a row.
  var steps: (row: Int, column: Int) { isTransposed ? (1, rows) : (columns, 1) }

  /// Returns all possible layouts of the output.
  static func all(
    for signature: ModelSignature, task: String? = nil, labelCount: Int? = nil
  ) -> [YOLOLayout] {
    guard let output = YOLOOutput(signature, task: task, labelCount: labelCount) else { return [] }
    return DetectorFamily.all.reduce(into: []) { $1.addReadings(output, &$0) }
  }

  /// The layout in words: "yolox with 80 classes".
  var summary: String {
    guard let classCount else { return family.name }
    return "\(family) with \(classCount) \(classCount == 1 ? "class" : "classes")"
  }
}
