// SPDX-License-Identifier: Apache-2.0

/// The backbones that were tried.
struct BackbonesSection {
  let backbones: [TrainingPage.Backbone]

  /// The panel; nil without a backbone.
  var section: ReportSection? {
    guard !backbones.isEmpty else { return nil }
    return ReportSection(
      id: "backbones", title: "Backbones",
      body: FigureTable(columns: ["backbone", "right", "numbers", "size"], rows: backbones.map(row)).html
        + "<p class=\"note\">“Right” is out of fold, in a trial with few photos of each class; “numbers” is how many a "
        + "backbone makes of a photo. Of those within a standard error of the best the smallest is chosen.</p>\n"
    )
  }

  private func row(_ backbone: TrainingPage.Backbone) -> [String] {
    let name = "<bdi>\(ReportText.escaped(backbone.name, limit: 200))</bdi>"
    let note =
      backbone.note.isEmpty ? "" : " <span class=\"count\">\(ReportText.escaped(backbone.note))</span>"
    let error =
      backbone.standardError.map { $0.isFinite ? " ± \(ReportNumber.fixed($0 * 100, 1))" : "" } ?? ""
    return [
      (backbone.isChosen ? "<strong>\(name)</strong> <span class=\"count\">chosen</span>" : name) + note,
      ReportNumber.percent(backbone.accuracy) + error,
      backbone.numbers.map(ReportNumber.grouped) ?? "–",
      backbone.byteCount.map { "\(ReportNumber.fixed(Double($0) / 1_000_000, 1)) MB" } ?? "–",
    ]
  }
}
