// SPDX-License-Identifier: Apache-2.0

/// How good the model is, measured in each way, and what the threshold does.
struct FiguresSection {
  let figures: [TrainingPage.Figures]
  let threshold: TrainingPage.Threshold?

  /// The panel; nil where there is nothing to show.
  var section: ReportSection? {
    guard !figures.isEmpty || threshold != nil else { return nil }
    let table =
      figures.isEmpty
      ? ""
      : FigureTable(
        columns: [""] + figures.map { "<bdi>\(ReportText.escaped($0.name, limit: 40))</bdi>" }, rows: rows
      ).html
    return ReportSection(id: "figures", title: "Figures", body: table + thresholdWords)
  }

  private var rows: [[String]] {
    [
      ["photos"] + figures.map { ReportNumber.grouped($0.photos) },
      ["right"] + figures.map { ReportNumber.percent($0.accuracy) },
    ]
      + [
        row("standard error", { ReportNumber.percent($0.standardError) }),
        row("right among the first 5", { ReportNumber.percent($0.topFive) }),
        row("mean recall of classes", { ReportNumber.percent($0.balancedAccuracy) }),
        row("log loss", { ReportNumber.share($0.logLoss) }),
        row("calibration error", { ReportNumber.share($0.calibrationError) }),
      ].compactMap(\.self) + averages("mean of classes", \.macro) + averages("of all answers", \.micro)
  }

  private func averages(
    _ kind: String, _ path: KeyPath<TrainingPage.Figures, TrainingPage.Averages?>
  ) -> [[String]] {
    [
      row("precision, \(kind)", { ReportNumber.share($0[keyPath: path]?.precision) }),
      row("recall, \(kind)", { ReportNumber.share($0[keyPath: path]?.recall) }),
      row("F1, \(kind)", { ReportNumber.share($0[keyPath: path]?.f1) }),
      row("average precision, \(kind)", { ReportNumber.share($0[keyPath: path]?.averagePrecision) }),
    ].compactMap(\.self)
  }

  /// A row, where at least one way of measuring has the figure.
  private func row(_ name: String, _ text: (TrainingPage.Figures) -> String) -> [String]? {
    let texts = figures.map(text)
    return texts.allSatisfy { $0 == "–" } ? nil : [name] + texts
  }

  private var thresholdWords: String {
    guard let threshold, threshold.value.isFinite else { return "" }
    let reason = threshold.reason.isEmpty ? "" : " (\(ReportText.escaped(threshold.reason)))"
    let effects = [
      threshold.rightAnswers.flatMap {
        $0.isFinite ? "\(ReportNumber.percent($0)) of answers are right" : nil
      },
      threshold.unanswered.flatMap {
        $0.isFinite ? "\(ReportNumber.percent($0)) of photos get no answer" : nil
      },
    ].compactMap(\.self)
    let effect = effects.isEmpty ? "" : ": " + effects.joined(separator: ", ")
    return "<p class=\"below\">Threshold \(ReportNumber.fixed(threshold.value, 2))\(reason)\(effect).</p>\n"
  }
}
