// SPDX-License-Identifier: Apache-2.0

/// How often answers are right, by their score: on the diagonal a score is how often the answer is right.
struct ReliabilityPlot {
  let reliability: TrainingPage.Reliability

  /// The panel; nil without an answer.
  var section: ReportSection? {
    let bins = reliability.bins.filter {
      $0.photos > 0 && $0.from.isFinite && $0.to.isFinite && $0.from < $0.to
    }
    guard !bins.isEmpty else { return nil }
    let plot = Plot(
      x: .shares("score", areScores: true), y: .shares("right answers"),
      words: "How often answers are right at each score; the table below has the figures.",
      marks: bins.map { .bar(x: $0.from...$0.to, y: $0.right, style: "b1") }
        + [.line([(0, 0), (1, 1)], style: "s3"), .dots(bins.map { ($0.score, $0.right) }, style: "d1")])
    let note =
      "<p class=\"note\">On the dashed line a score of 0.8 is right 8 times in 10. Below it scores are too high.</p>\n"
    return ReportSection(
      id: "reliability", title: "Are the scores honest?", body: plot.svg + note + table(bins))
  }

  private func table(_ bins: [TrainingPage.Reliability.Bin]) -> String {
    FigureTable(
      columns: ["scores", "photos", "mean score", "right"],
      rows: bins.map { bin in
        [
          "\(ReportNumber.fixed(bin.from, 2)) to \(ReportNumber.fixed(bin.to, 2))",
          ReportNumber.grouped(bin.photos), ReportNumber.fixed(bin.score, 3), ReportNumber.percent(bin.right),
        ]
      }
    ).folded
  }
}
