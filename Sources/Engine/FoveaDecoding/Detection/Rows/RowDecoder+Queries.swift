// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

extension RowDecoder {
  /// Appends the best scores of all queries and classes, so that one query may give several classes; with a
  /// column for no class, only the best class of each query.
  ///
  /// **Source:** roboflow/rf-detr (Apache-2.0), `models/lwdetr.py`, `PostProcess`; D-FINE (Apache-2.0),
  /// `postprocessor.py`; huggingface/transformers (Apache-2.0), `DetrImageProcessor`.
  func appendQueries(
    _ outputs: [[Float]], threshold: Float, limit: Int, to candidates: inout DetectionCandidates
  ) throws(DetectionError) {
    guard let box = layout.box, let classes = layout.places[.classes] else { return }
    let columns = BoxColumns(outputs, box.runs[0])
    try checkQueries(columns)
    let (best, isLogits) = try bestScores(outputs, classes)
    let nothing = layout.places[.nothing].map { BoxColumns(outputs, $0.runs[0]) }
    if let nothing,
      let row = (0..<layout.rows).first(where: { !isScore(nothing.number($0, 0), areLogits: isLogits) })
    {
      throw notANumber("a score of row \(row)")
    }
    func softmax(_ row: Int, _ nothing: BoxColumns) -> Float {
      isLogits ? self.softmax(best.classes(of: row), and: nothing.number(row, 0)) : best.scores[row]
    }
    try checkBackground(rows: layout.rows, least: Self.leastOfBest) { row in
      nothing.map { softmax(row, $0) } ?? probability(best.scores[row], isLogits)
    }
    let hits: [Hit]
    if let nothing {
      let rows = best.scores.indices.filter { best.scores[$0] > -.infinity }
      let all: [Hit] = rows.map { (softmax($0, nothing), $0, best.classIndex(of: $0)) }
      if let wrong = all.first(where: \.score.isNaN) { throw notANumber("a score of row \(wrong.row)") }
      hits = Self.ranked(all.filter { $0.score >= threshold })
    } else {
      hits = self.hits(best, isLogits, threshold: threshold) { _, _ in true }
    }
    for hit in hits.prefix(max(layout.rows, limit)) {
      candidates.append(columns.box(hit.row, .center), score: min(hit.score, 1), classIndex: hit.classIndex)
    }
  }

  /// A score of a row for a class.
  typealias Hit = (score: Float, row: Int, classIndex: Int)

  /// Returns the scores of all rows and classes that reach the threshold and `isHit` accepts, the best first.
  func hits(
    _ best: BestScores, _ isLogits: Bool, threshold: Float, isHit: (_ row: Int, _ classIndex: Int) -> Bool
  ) -> [Hit] {
    var hits: [Hit] = []
    for row in best.scores.indices
    where best.scores[row] > -.infinity && probability(best.scores[row], isLogits) >= threshold {
      for (classIndex, score) in best.classes(of: row).enumerated() {
        let score = probability(score, isLogits)
        if score >= threshold, isHit(row, classIndex) { hits.append((score, row, classIndex)) }
      }
    }
    return Self.ranked(hits)
  }

  /// Sorts by score; ties stay in the order of the rows.
  private static func ranked(_ hits: [Hit]) -> [Hit] {
    hits.indices.sorted {
      hits[$0].score != hits[$1].score ? hits[$0].score > hits[$1].score : $0 < $1
    }.map { hits[$0] }
  }

  /// Returns the largest probability of a softmax over some logits and that of no class.
  private func softmax(_ logits: some Sequence<Float>, and nothing: Float) -> Float {
    let best = logits.reduce(-Float.infinity) { max($0, $1) }
    let most = max(best, nothing)
    return exp(best - most) / logits.reduce(exp(nothing - most)) { $0 + exp($1 - most) }
  }

  /// Returns the number of rows of a sample that are boxes given by centre and size in fractions, and the
  /// number of rows in the sample.
  private func fractions(_ columns: BoxColumns) -> (found: Int, sampled: Int) {
    countSample(of: layout.rows) { row in
      let (x, y) = (columns.number(row, 0), columns.number(row, 1))
      let (width, height) = (columns.number(row, 2) / 2, columns.number(row, 3) / 2)
      return min(x - width, y - height) >= -0.1 && max(x + width, y + height) <= 1.1
        && min(width, height) >= 0
    }
  }

  /// Returns whether nearly all rows are boxes given by centre and size in fractions.
  func areFractions(_ columns: BoxColumns) -> Bool {
    let (inside, sampled) = fractions(columns)
    return inside * 10 >= sampled * 9
  }

  /// Throws for boxes that are not centre and size in fractions, as a list of the best objects has.
  private func checkQueries(_ columns: BoxColumns) throws(DetectionError) {
    let (inside, sampled) = fractions(columns)
    guard inside * 10 < sampled * 9 else { return }
    throw invalid(
      "returned boxes of which \(sampled - inside) of \(sampled) are not centre and size in fractions of the"
        + " image")
  }
}
