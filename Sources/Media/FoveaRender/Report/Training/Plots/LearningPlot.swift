// SPDX-License-Identifier: Apache-2.0

/// How the share of right answers grows with the photos, and what more of them would bring.
struct LearningPlot {
  let learning: TrainingPage.LearningCurve

  /// The panel; nil without a point.
  var section: ReportSection? {
    let points = learning.points.filter(isUsable)
    let forecast = learning.forecast.flatMap { isUsable($0) ? $0 : nil }
    let all = points + (forecast.map { [$0] } ?? [])
    guard !points.isEmpty, let x = PlotAxis.photos("photos in training", all.map(\.photos)) else {
      return nil
    }
    let shares = all.flatMap { point in
      [point.accuracy - (point.uncertainty ?? 0), point.accuracy + (point.uncertainty ?? 0)]
    }
    let plot = Plot(
      x: x, y: .shares("right answers", around: shares),
      words:
        "How often answers are right after training with more and more photos. \(forecastWords(forecast))",
      marks: marks(points, forecast))
    let note = forecast == nil ? "" : "<p class=\"note\">\(forecastWords(forecast))</p>\n"
    return ReportSection(
      id: "learning", title: "Would more photos help?", body: plot.svg + note + table(points, forecast))
  }

  /// Whether a point has a place on axes that a page can print.
  private func isUsable(_ point: TrainingPage.LearningCurve.Point) -> Bool {
    point.photos >= 1 && point.photos < 1e9 && point.accuracy.isFinite
  }

  private func marks(
    _ points: [TrainingPage.LearningCurve.Point], _ forecast: TrainingPage.LearningCurve.Point?
  ) -> [Plot.Mark] {
    var marks: [Plot.Mark] = []
    let places = points.map { (x: $0.photos, y: $0.accuracy) }
    for point in points { marks += range(point, "s1") }
    if let forecast, let last = places.last {
      marks.append(.line([last, (forecast.photos, forecast.accuracy)], style: "s3"))
      marks += range(forecast, "s3")
      marks.append(.dots([(forecast.photos, forecast.accuracy)], style: "d2"))
    }
    return marks + [.line(places, style: "s1"), .dots(places, style: "d1")]
  }

  private func range(_ point: TrainingPage.LearningCurve.Point, _ style: String) -> [Plot.Mark] {
    guard let uncertainty = point.uncertainty, uncertainty > 0, uncertainty.isFinite else { return [] }
    return [
      .range(
        x: point.photos, low: point.accuracy - uncertainty, high: point.accuracy + uncertainty, style: style)
    ]
  }

  private func forecastWords(_ forecast: TrainingPage.LearningCurve.Point?) -> String {
    guard let forecast else { return "" }
    let margin =
      forecast.uncertainty.flatMap { !$0.isFinite ? nil : ", ±\u{A0}\(ReportNumber.percent($0))" } ?? ""
    return "With \(ReportNumber.grouped(Int(forecast.photos.rounded()))) photos about "
      + "\(ReportNumber.percent(forecast.accuracy, places: 0)) right\(margin)."
  }

  private func table(
    _ points: [TrainingPage.LearningCurve.Point], _ forecast: TrainingPage.LearningCurve.Point?
  ) -> String {
    func row(_ point: TrainingPage.LearningCurve.Point, _ kind: String) -> [String] {
      [
        ReportNumber.fixed(point.photos, 0) + kind, ReportNumber.percent(point.accuracy),
        point.uncertainty.flatMap { !$0.isFinite ? nil : "±\u{A0}\(ReportNumber.percent($0))" } ?? "–",
      ]
    }
    return FigureTable(
      columns: ["photos", "right", "uncertain by"],
      rows: points.map { row($0, "") } + (forecast.map { [row($0, " (forecast)")] } ?? [])
    ).folded
  }
}
