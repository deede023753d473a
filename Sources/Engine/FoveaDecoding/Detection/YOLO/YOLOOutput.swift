// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The list [1, first, last] of a model with an image for input, which several families can be seen in.
///
/// It is the one output; or there is a second one, the prototypes [1, H ÷ 4, W ÷ 4, M] or [1, M, H ÷ 4, W ÷ 4] that the last
/// M numbers of a row mix to a mask.
struct YOLOOutput {
  let signature: ModelSignature
  /// Which output the list is.
  let index: Int
  let first: Int
  let last: Int
  /// The coefficients of a mask at the end of a row, as the prototypes show them.
  let masks: Int
  /// What the model was exported for, where it is described.
  let task: String?
  /// The classes, where labels are known.
  let labelCount: Int?
  private let grids: [YOLOGrid]

  /// Nil for other outputs.
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

  /// How many prototypes there are: maps of a quarter of the input's side; nil for other shapes.
  private static func prototypes(_ shape: [Int], _ grid: YOLOGrid) -> Int? {
    let (width, height) = (grid.width / 4, grid.height / 4)
    guard shape.count == 4, shape[0] == 1 else { return nil }
    if shape[1] == height, shape[2] == width, shape[3] > 0 { return shape[3] }
    return shape[2] == height && shape[3] == width && shape[1] > 0 ? shape[1] : nil
  }

  /// The grid with so many answers; nil where there is none.
  func grid(of count: Int, perCell: Int = 1) -> YOLOGrid? { grids.first { $0.count * perCell == count } }

  /// What stands behind the classes of rows that begin with `lead` numbers before these, and how many classes there are.
  ///
  /// The prototypes show it, or the described task with the labels; without either, all are classes.
  /// - Returns: Nil where no number is left for a class, or where the task leaves the rows to another family.
  func classes(of columns: Int, after lead: Int) -> (count: Int, extra: YOLOExtra?)? {
    if masks > 0 { return columns > lead + masks ? (columns - lead - masks, .masks(masks)) : nil }
    if task == "segment", let labelCount,
      let extra = YOLOExtra(task: task, count: columns - lead - labelCount)
    {
      return (labelCount, extra)
    }
    return columns > lead && !isOfPoints ? (columns - lead, nil) : nil
  }

  /// Whether the model is described as one that finds points or angles.
  var isOfPoints: Bool { task == "pose" || task == "obb" }
}
