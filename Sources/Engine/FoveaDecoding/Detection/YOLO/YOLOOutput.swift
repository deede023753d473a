// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The list [1, first, last] of a model whose input is an image; several families have such an output.
///
/// It is the only output, or there is a second one: the prototypes [1, H ÷ 4, W ÷ 4, M] or
/// [1, M, H ÷ 4, W ÷ 4], which the last M numbers of a row combine into a mask.
struct YOLOOutput {
  let signature: ModelSignature
  /// The index of the list among the outputs.
  let index: Int
  let first: Int
  let last: Int
  /// The number of mask coefficients at the end of a row, known from the prototypes.
  let masks: Int
  /// The task that the exporter declares; nil if it declares none.
  let task: String?
  /// The number of classes, if labels are known.
  let labelCount: Int?
  private let grids: [YOLOGrid]

  /// Returns nil for other outputs.
  init?(_ signature: ModelSignature, task: String? = nil, labelCount: Int? = nil) {
    let lists = signature.outputs.indices.filter { signature.outputs[$0].shape.count == 3 }
    guard lists.count == 1, let index = lists.first, signature.outputs.count <= 2 else { return nil }
    let output = signature.outputs[index]
    guard output.shape[0] == 1, output.shape[1] > 0, output.shape[2] > 0,
      !output.shape[1].multipliedReportingOverflow(by: output.shape[2]).overflow,
      [.float32, .uint8, .int8].contains(output.elementType)
    else { return nil }
    grids = YOLOGrid.all(for: signature)
    guard let grid = grids.first else { return nil }
    if signature.outputs.count == 2 {
      guard let masks = Self.prototypes(signature.outputs[1 - index].shape, grid) else { return nil }
      self.masks = masks
    } else {
      masks = 0
    }
    self.signature = signature
    self.index = index
    self.task = task
    self.labelCount = labelCount
    (first, last) = (output.shape[1], output.shape[2])
  }

  /// Returns the number of prototypes, which are maps of a quarter of the input's side; nil for other shapes.
  private static func prototypes(_ shape: [Int], _ grid: YOLOGrid) -> Int? {
    let (width, height) = (grid.width / 4, grid.height / 4)
    guard shape.count == 4, shape[0] == 1 else { return nil }
    if shape[1] == height, shape[2] == width, shape[3] > 0 { return shape[3] }
    return shape[2] == height && shape[3] == width && shape[1] > 0 ? shape[1] : nil
  }

  /// Returns the grid with this number of rows; nil if there is none.
  func grid(of count: Int, perCell: Int = 1) -> YOLOGrid? { grids.first { $0.count * perCell == count } }

  /// Whether the columns are the cells of a grid and the rows are their numbers, as YOLOv8 has them.
  var isTransposed: Bool { first < last && grid(of: last) != nil }

  /// Returns the number of classes, and what follows them, in rows that begin with `lead` other numbers.
  ///
  /// The prototypes show it, or the declared task with the labels; without either, all numbers are classes.
  /// - Returns: Nil if no number is left for a class, or if the task leaves the rows to another family.
  func classes(of columns: Int, after lead: Int) -> (count: Int, extra: YOLOExtra?)? {
    if masks > 0 { return columns > lead + masks ? (columns - lead - masks, .masks(masks)) : nil }
    if task == "segment", let labelCount,
      let extra = YOLOExtra(task: task, count: columns - lead - labelCount)
    {
      return (labelCount, extra)
    }
    return columns > lead && !isOfPoints ? (columns - lead, nil) : nil
  }

  /// Whether the declared task is points or angles.
  var isOfPoints: Bool { task == "pose" || task == "obb" }
}
