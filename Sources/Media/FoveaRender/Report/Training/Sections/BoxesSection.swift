// SPDX-License-Identifier: Apache-2.0

/// What is lost by boxes that are missing, and what by names that are wrong.
struct BoxesSection {
  let figures: [TrainingPage.BoxFigures]

  /// The panel; nil for a classifier of photos.
  var section: ReportSection? {
    guard !figures.isEmpty else { return nil }
    let table = FigureTable(
      columns: [""] + figures.map { "<bdi>\(ReportText.escaped($0.name, limit: 40))</bdi>" }, rows: rows)
    return ReportSection(
      id: "boxes", title: "Objects",
      body: table.html
        + "<p class=\"note\">A box meets an object from an IoU of 0.5 on. What no box meets is lost whatever the names are; "
        + "the last row shows what better names would bring at the most.</p>\n")
  }

  private var rows: [[String]] {
    [
      ["images"] + figures.map { ReportNumber.grouped($0.images) },
      ["objects"] + figures.map { ReportNumber.grouped($0.objects) },
      ["boxes of the detector"] + figures.map { ReportNumber.grouped($0.boxes) },
      ["objects that a box meets"] + figures.map { ReportNumber.percent($0.recall) },
      ["of these boxes, named at all"] + figures.map { ReportNumber.percent($0.named) },
      ["of the named ones, right"] + figures.map { ReportNumber.percent($0.rightLabels) },
      ["AP50"] + figures.map { ReportNumber.percent($0.averagePrecision) },
      ["AP50, had every name been right"]
        + figures.map { ReportNumber.percent($0.averagePrecisionWithRightLabels) },
    ]
  }
}
