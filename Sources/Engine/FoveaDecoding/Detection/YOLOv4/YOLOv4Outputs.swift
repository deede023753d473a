// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The roles of two outputs: one holds the boxes, the other the scores.
struct YOLOv4Outputs: Sendable, Hashable {
  /// The index of the boxes; nil if both outputs have four numbers per row, so that only the values decide.
  private let boxes: Int?
  let rows: Int
  /// The number of values in a row of scores.
  let classCount: Int

  /// Finds the roles by the names in the metadata, then by shape, then by the range of quantised numbers.
  ///
  /// Tensor names are no evidence: converters number them.
  /// - Returns: Nil if the outputs are not boxes and scores with equal numbers of rows.
  init?(_ model: DetectorRecognizer) {
    let outputs = model.signature.outputs
    guard outputs.count == 2,
      outputs.allSatisfy({ [.float32, .float16, .uint8, .int8].contains($0.elementType) }),
      let first = Self.rowsAndColumns(outputs[0].shape), let second = Self.rowsAndColumns(outputs[1].shape),
      first.rows == second.rows, first.rows > 1, first.rows <= 1 << 24
    else { return nil }
    let columns = [first.columns, second.columns]
    rows = first.rows
    let shaped = [0, 1].filter { columns[$0] == 4 && outputs[$0].shape.count > 2 }
    switch shaped.count {
    case 1:
      boxes = shaped[0]
      classCount = columns[1 - shaped[0]]
    case 2:
      boxes = Self.named(model) ?? Self.ranged(outputs)
      classCount = 4
    default: return nil
    }
    guard classCount <= 1 << 16 else { return nil }
  }

  /// Accepts [1, N, C], [1, N, 1, C] for boxes in PyTorch exports, or [1, N] for one class.
  private static func rowsAndColumns(_ shape: [Int]) -> (rows: Int, columns: Int)? {
    guard shape.first == 1, shape.allSatisfy({ $0 > 0 }) else { return nil }
    switch shape.count {
    case 2: return (shape[1], 1)
    case 3: return (shape[1], shape[2])
    case 4 where shape[2] == 1: return (shape[1], shape[3])
    default: return nil
    }
  }

  private static func named(_ model: DetectorRecognizer) -> Int? {
    guard let outputs = model.metadata?.outputs, outputs.count == 2 else { return nil }
    return outputs.map { $0.name?.lowercased() } == ["location", "score"]
      ? 0 : outputs.map { $0.name?.lowercased() } == ["score", "location"] ? 1 : nil
  }

  /// Scores are quantised to 0…1; boxes in pixels are not.
  private static func ranged(_ outputs: [TensorDescription]) -> Int? {
    let scores = [0, 1].filter { outputs[$0].holdsProbabilities }
    let steps = outputs.compactMap(\.step)
    return scores.count == 1 && steps.count == 2 ? 1 - scores[0] : nil
  }

  /// Returns the index of the output with the boxes.
  ///
  /// For two outputs with four numbers per row. Boxes in pixels are not probabilities. In fractions, nearly
  /// every row of boxes has a size, and few rows of scores have a class.
  /// - Returns: Nil if neither criterion decides.
  func boxes(of answer: [[Float]]) -> Int? {
    if let boxes { return boxes }
    let beyond = [0, 1].filter { index in answer[index].contains { $0 > 1.5 || $0 < -0.5 } }
    if beyond.count == 1 { return beyond[0] }
    guard beyond.isEmpty else { return nil }
    let sample = Array(sampledRows(of: rows))
    let sized = [0, 1].map { index in
      let columns = BoxColumns(values: answer[index], rows: rows, step: 4, jump: 1)
      return sample.count { min(columns.number($0, 2), columns.number($0, 3)) >= 0.002 }
    }
    return [0, 1].first { sized[$0] * 10 >= sample.count * 9 && sized[1 - $0] * 2 <= sample.count }
  }
}
