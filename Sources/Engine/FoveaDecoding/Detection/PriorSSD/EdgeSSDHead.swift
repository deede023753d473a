// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The outputs of one of ST's SSDs: scores, offsets and anchors with equal numbers of rows.
struct EdgeSSDHead: Sendable, Hashable {
  let rows: Int
  /// The number of values in a row of scores, including the background's.
  let columns: Int
  /// Whether one output holds scores, offsets and anchors in each row.
  let isJoined: Bool
  /// The outputs that can be the scores by shape; the single output if rows are joined.
  private let scores: [Int]
  /// The quantisation step of each output; 0 if it is not quantised.
  private let steps: [Float]

  /// The number of anchors per cell.
  static let perCell = 5

  /// Recognises the shapes; if the caller names the family, any multiple of five rows is accepted.
  init?(_ model: DetectorRecognizer, isAsked: Bool) {
    let outputs = model.signature.outputs
    guard [1, 3].contains(outputs.count), let size = YOLOGrid.inputSize(of: model.signature),
      outputs.allSatisfy({
        [.float32, .float16, .uint8, .int8].contains($0.elementType) && $0.shape.count == 3
          && $0.shape[0] == 1
          && $0.shape[1] == outputs[0].shape[1] && (2...1 << 16).contains($0.shape[2])
      })
    else { return nil }
    rows = outputs[0].shape[1]
    steps = outputs.map { $0.step ?? 0 }
    isJoined = outputs.count == 1
    guard rows >= 2 * Self.perCell, rows <= 1 << 20, rows.isMultiple(of: Self.perCell),
      isAsked || Self.counts(width: size.width, height: size.height).contains(rows)
    else { return nil }
    if isJoined {
      columns = outputs[0].shape[2] - 8
      guard columns >= 2 else { return nil }
      scores = [0]
      return
    }
    let four = outputs.indices.filter { outputs[$0].shape[2] == 4 }
    guard four.count >= 2 else { return nil }
    scores = four.count == 3 ? four : outputs.indices.filter { !four.contains($0) }
    columns = outputs[scores[0]].shape[2]
  }

  /// Returns the numbers of anchors that ST's models have for an input: five or six maps, the first an eighth
  /// of the input's side.
  ///
  /// **Source:** STMicroelectronics/stm32ai-modelzoo-services, `anchor_boxes_utils.py`, `get_fmap_sizes`:
  /// each map is half of the previous one, rounded up or down; at 224 × 224 also the maps of 256 × 256.
  static func counts(width: Int, height: Int) -> Set<Int> {
    guard width >= 64, height >= 64 else { return [] }
    if width == 224, height == 224 { return counts(of: 28, 28).union(counts(of: 32, 32)) }
    return counts(of: (width + 7) / 8, (height + 7) / 8)
  }

  private static func counts(of columns: Int, _ rows: Int) -> Set<Int> {
    var counts: Set<Int> = []
    for rounding in [0, 1] {
      var (columns, rows, cells) = (columns, rows, 0)
      for map in 1...6 {
        cells += columns * rows
        if map >= 5 { counts.insert(cells * perCell) }
        columns = max((columns + rounding) / 2, 1)
        rows = max((rows + rounding) / 2, 1)
      }
    }
    return counts
  }

  /// The location of one part in the outputs: the output's index, the first column, and the numbers per row.
  struct Part {
    var output: Int
    var first: Int
    var step: Int
  }

  /// Finds scores, offsets and anchors in the outputs.
  ///
  /// Joined rows have this order. Of three outputs, the anchors are those that continue from cell to cell as
  /// anchors do, and the scores are those that sum to 1.
  /// - Returns: Nil unless there is exactly one output of each kind.
  func parts(of answer: [[Float]]) -> (scores: Part, offsets: Part, anchors: EdgeAnchors)? {
    if isJoined {
      let step = columns + 8
      let scores = Part(output: 0, first: 0, step: step)
      guard answer.count == 1, answer[0].count == rows * step, areScores(answer, scores),
        let anchors = EdgeAnchors(answer[0], from: columns + 4, step: step, rows: rows)
      else { return nil }
      return (scores, Part(output: 0, first: columns, step: step), anchors)
    }
    guard answer.count == 3,
      answer.indices.allSatisfy({ answer[$0].count == rows * (scores == [$0] ? columns : 4) })
    else { return nil }
    let found = scores.filter { areScores(answer, Part(output: $0, first: 0, step: columns)) }
    guard found.count == 1 else { return nil }
    let others = [0, 1, 2].filter { $0 != found[0] }
    let anchors = others.map { EdgeAnchors(answer[$0], from: 0, step: 4, rows: rows) }
    guard anchors.count(where: { $0 != nil }) == 1, let index = anchors.firstIndex(where: { $0 != nil }),
      let edges = anchors[index]
    else { return nil }
    return (
      Part(output: found[0], first: 0, step: columns), Part(output: others[1 - index], first: 0, step: 4),
      edges
    )
  }

  /// Returns whether the numbers of each row are the probabilities of a softmax.
  private func areScores(_ answer: [[Float]], _ part: Part) -> Bool {
    let half = steps[part.output] / 2
    let slack = softmaxSlack(columns: columns, step: steps[part.output], least: 0.1)
    return sampledRows(of: rows).allSatisfy { row in
      var sum: Float = 0
      for column in 0..<columns {
        let score = answer[part.output][row * part.step + part.first + column]
        guard score >= -0.02 - half, score <= 1.02 + half else { return false }
        sum += score
      }
      return abs(sum - 1) < slack
    }
  }
}
