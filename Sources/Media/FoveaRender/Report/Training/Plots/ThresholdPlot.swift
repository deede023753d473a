// SPDX-License-Identifier: Apache-2.0

/// Precision and recall over thresholds, and precision over recall.
struct ThresholdPlot {
  let curve: TrainingPage.ThresholdCurve
  /// The model's threshold.
  let threshold: Double?

  /// The panel; nil without a point.
  var section: ReportSection? {
    let points = curve.points.filter(\.threshold.isFinite)
    guard !points.isEmpty else { return nil }
    let area = curve.area.flatMap {
      $0.isFinite
        ? "<p class=\"note\">Area under precision over recall: \(ReportNumber.share($0)).</p>\n" : nil
    }
    return ReportSection(
      id: "thresholds", title: "Precision and recall",
      body: overThresholds(points) + legend + overRecall(points) + (area ?? "") + table(points))
  }

  private func overThresholds(_ points: [TrainingPage.ThresholdCurve.Point]) -> String {
    var plot = Plot(
      x: .shares("threshold", areScores: true), y: .shares("precision, recall"),
      words: "Precision and recall at thresholds. \(words(points)); the table below has the figures.",
      marks: [
        .line(points.map { ($0.threshold, $0.precision) }, style: "s1"),
        .line(points.map { ($0.threshold, $0.recall) }, style: "s2"),
      ])
    if let threshold, threshold.isFinite { plot.marks.insert(.rule(x: threshold), at: 0) }
    return plot.svg
  }

  /// Where the lines begin and end.
  private func words(_ points: [TrainingPage.ThresholdCurve.Point]) -> String {
    [points.first, points.last].compactMap(\.self).map { point in
      "At \(ReportNumber.fixed(point.threshold, 2)) precision is \(ReportNumber.share(point.precision)) and recall "
        + ReportNumber.share(point.recall)
    }.joined(separator: ". ")
  }

  private func overRecall(_ points: [TrainingPage.ThresholdCurve.Point]) -> String {
    Plot(
      x: .shares("recall"), y: .shares("precision"),
      words: "Precision over recall; the table below has the figures.",
      marks: [.line(points.map { ($0.recall, $0.precision) }, style: "s1")]
    ).svg
  }

  private var legend: String {
    let model =
      threshold?.isFinite != true ? "" : "<li><span class=\"key k3\"></span>the model's threshold</li>"
    return "<ul class=\"legend\"><li><span class=\"key k1\"></span>precision</li>"
      + "<li><span class=\"key k2\"></span>recall</li>\(model)</ul>\n"
  }

  /// 0, 0.05 … 0.95, 0.96 … 0.99: AutoML's page had these.
  private static let thresholds = (0..<20).map { Double($0 * 5) / 100 } + (96...99).map { Double($0) / 100 }

  /// What answers do from each of a few thresholds on: the figures of the least score that reaches it.
  private func table(_ points: [TrainingPage.ThresholdCurve.Point]) -> String {
    FigureTable(
      columns: ["threshold", "precision", "recall"],
      rows: Self.thresholds.compactMap { threshold in
        points.first { $0.threshold >= threshold }.map {
          [ReportNumber.fixed(threshold, 2), ReportNumber.share($0.precision), ReportNumber.share($0.recall)]
        }
      }
    ).folded
  }
}
