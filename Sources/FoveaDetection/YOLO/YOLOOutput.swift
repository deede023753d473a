// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The one output [1, first, last] of a model with an image for input: a list, which several families can be seen in.
struct YOLOOutput {
  let signature: ModelSignature
  let first: Int
  let last: Int
  private let grids: [YOLOGrid]

  /// Nil for other outputs.
  init?(_ signature: ModelSignature) {
    guard signature.outputs.count == 1, let output = signature.outputs.first, output.shape.count == 3,
      output.shape[0] == 1, output.shape[1] > 0, output.shape[2] > 0,
      !output.shape[1].multipliedReportingOverflow(by: output.shape[2]).overflow,
      [.float32, .uint8, .int8].contains(output.elementType)
    else { return nil }
    grids = YOLOGrid.all(for: signature)
    guard !grids.isEmpty else { return nil }
    self.signature = signature
    (first, last) = (output.shape[1], output.shape[2])
  }

  /// The grid with so many answers; nil where there is none.
  func grid(of count: Int, perCell: Int = 1) -> YOLOGrid? { grids.first { $0.count * perCell == count } }
}
