// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// One way to read the output of a YOLO model: as which family, which dimension is which, how many classes.
struct YOLOLayout: Sendable, Hashable {
  var family: DetectorFamily
  /// Which output has the answers.
  var output = 0
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
  /// What stands behind the classes and is not read.
  var extra: YOLOExtra?
  /// Whether the exporter's description shows what stands behind the classes; else the values have to confirm it.
  var isDescribed = true
  /// Whether one class is assumed, as nothing shows how many there are.
  var isClassAssumed = false

  /// From an answer to the next, and from a number of it to its next.
  var steps: (row: Int, column: Int) { isTransposed ? (1, rows) : (columns, 1) }

  /// Every way in which the output can be read.
  static func all(
    for signature: ModelSignature, task: String? = nil, labelCount: Int? = nil
  ) -> [YOLOLayout] {
    guard let output = YOLOOutput(signature, task: task, labelCount: labelCount) else { return [] }
    return DetectorFamily.all.reduce(into: []) { $1.addReadings(output, &$0) }
  }

  /// "yolox with 80 classes".
  var summary: String {
    guard let classCount else { return family.name }
    return "\(family) with \(classCount) \(classCount == 1 ? "class" : "classes")"
  }
}
