// SPDX-License-Identifier: Apache-2.0

/// Computes HOTA for one sequence.
///
/// **Source:** Luiten et al., IJCV 2021, sections 4 and 5: identities are first aligned over the entire
/// sequence, then each frame is paired once by that alignment times the overlap.
struct HOTACounter {
  private let table: SequenceTable
  private var matcher = FrameMatcher()
  /// The number of boxes paired by each link, alpha by alpha.
  private var matches: [Int32]

  init(_ table: SequenceTable) {
    self.table = table
    matches = [Int32](repeating: 0, count: HOTAMetrics.alphas.count * table.links.count)
  }

  mutating func metrics() -> HOTAMetrics {
    var metrics = HOTAMetrics()
    let alignments = alignments()
    var overlaps = [Double](repeating: 0, count: HOTAMetrics.alphas.count)
    for frame in table.frames { count(frame, alignments, &metrics, &overlaps) }
    for index in HOTAMetrics.alphas.indices {
      metrics.localizationAccuracies[index] = HOTAMetrics.localization(
        overlaps[index], Double(metrics.truePositives[index]))
      associate(index, &metrics)
    }
    return metrics
  }

  /// Returns for each link how well its two identities agree over the entire sequence.
  private func alignments() -> [Double] {
    var potentials = [Double](repeating: 0, count: table.links.count)
    var rowSums: [Double] = []
    var columnSums: [Double] = []
    for frame in table.frames {
      rowSums.removeAll(keepingCapacity: true)
      columnSums.removeAll(keepingCapacity: true)
      rowSums.append(contentsOf: repeatElement(0, count: frame.truths.count))
      columnSums.append(contentsOf: repeatElement(0, count: frame.results.count))
      for pair in table.pairs[frame.pairs] {
        rowSums[Int(pair.row)] += pair.similarity
        columnSums[Int(pair.column)] += pair.similarity
      }
      for pair in table.pairs[frame.pairs] {
        let sum = rowSums[Int(pair.row)] + columnSums[Int(pair.column)] - pair.similarity
        if sum > Double.ulpOfOne { potentials[Int(pair.link)] += pair.similarity / sum }
      }
    }
    for (index, link) in table.links.enumerated() {
      let boxes = table.truthCounts[Int(link.truth)] + table.resultCounts[Int(link.result)]
      potentials[index] /= Double(boxes) - potentials[index]
    }
    return potentials
  }

  private mutating func count(
    _ frame: SequenceTable.Frame, _ alignments: [Double], _ metrics: inout HOTAMetrics,
    _ overlaps: inout [Double]
  ) {
    matcher.begin()
    for pair in table.pairs[frame.pairs] {
      let weight = alignments[Int(pair.link)] * pair.similarity
      if weight > 0 { matcher.allow(row: pair.row, column: pair.column, weight: weight) }
    }
    matcher.match(rows: frame.truths.count, columns: frame.results.count)
    for index in HOTAMetrics.alphas.indices {
      metrics.falseNegatives[index] += frame.truths.count
      metrics.falsePositives[index] += frame.results.count
    }
    for pair in table.pairs[frame.pairs] where matcher.columnOfRow[Int(pair.row)] == Int(pair.column) {
      for (index, alpha) in HOTAMetrics.alphas.enumerated() {
        guard pair.similarity >= alpha - Double.ulpOfOne else { break }
        metrics.truePositives[index] += 1
        metrics.falseNegatives[index] -= 1
        metrics.falsePositives[index] -= 1
        overlaps[index] += pair.similarity
        matches[index * table.links.count + Int(pair.link)] += 1
      }
    }
  }

  private func associate(_ index: Int, _ metrics: inout HOTAMetrics) {
    var accuracy = 0.0
    var recall = 0.0
    var precision = 0.0
    for (number, link) in table.links.enumerated() {
      let matched = Double(matches[index * table.links.count + number])
      guard matched > 0 else { continue }
      let truths = Double(table.truthCounts[Int(link.truth)])
      let results = Double(table.resultCounts[Int(link.result)])
      accuracy += matched * (matched / max(1, truths + results - matched))
      recall += matched * (matched / max(1, truths))
      precision += matched * (matched / max(1, results))
    }
    let found = Double(max(1, metrics.truePositives[index]))
    metrics.associationAccuracies[index] = accuracy / found
    metrics.associationRecalls[index] = recall / found
    metrics.associationPrecisions[index] = precision / found
  }
}
