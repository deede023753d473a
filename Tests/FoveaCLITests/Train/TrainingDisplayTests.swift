// SPDX-License-Identifier: Apache-2.0

import FoveaTraining
import Testing

@testable import FoveaCLI

@Suite struct TrainingDisplayTests {
  /// The report of a run that ends after some progress.
  static let rows: [(progress: [TrainingProgress], kept: String?, text: String)] = [
    ([], "embeddings", "interrupted"),
    (
      [TrainingProgress(.embedding, done: 0, total: 3), TrainingProgress(.embedding, done: 2, total: 3)],
      "embeddings",
      "interrupted after 2 of 3 crops; the embeddings are kept, and the same command continues there"
    ),
    (
      [TrainingProgress(.detecting, done: 1_200, total: 3_000)], nil,
      "interrupted after 1,200 of 3,000 photos"
    ),
    (
      [TrainingProgress(.trying(backbone: "one"), done: 5, total: 6), TrainingProgress(.learning)],
      "embeddings",
      "interrupted during the training; the embeddings are kept, and the same command continues there"
    ),
  ]

  @Test(arguments: [
    (TrainingProgress(.embedding, total: 1), "reading 1 crop"),
    (TrainingProgress(.embedding, total: 1_200), "reading 1,200 crops"),
    (TrainingProgress(.detecting, total: 1), "finding boxes in 1 photo"),
    (TrainingProgress(.detecting, total: 2), "finding boxes in 2 photos"),
  ])
  func `a stage begins with the number of its images`(_ progress: TrainingProgress, _ text: String) {
    #expect(TrainingDisplay(isQuiet: true, unit: "crops").text(progress) == text)
  }

  @Test(arguments: rows.indices)
  func `an interrupted run reports its progress, and what is kept`(row: Int) {
    let row = Self.rows[row]
    let display = TrainingDisplay(isQuiet: true, unit: "crops")
    for progress in row.progress { display.show(progress) }
    #expect(display.interruption(kept: row.kept) == row.text)
  }
}
