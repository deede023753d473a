// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Experiments as text for the pages.
enum ExperimentPageText {
  /// `versions 1, 2 of bird`, `a, b`.
  static func compares(_ experiment: Experiment, model: String?) -> String {
    guard experiment.model != nil else {
      return "parameters: " + experiment.variants.map(\.id).joined(separator: ", ")
    }
    let versions = experiment.variants.compactMap(\.version).map(String.init).joined(separator: ", ")
    return "versions \(versions) of \(model ?? "a deleted model")"
  }

  /// `confirmed, conversion within 24 hours`.
  static func metric(_ metric: ExperimentMetric) -> String {
    "\(metric.name), \(metric.kind.rawValue) within \(WindowText.text(seconds: metric.window))"
  }

  /// Returns the version or the parameters of a variant.
  static func gets(_ variant: Experiment.Variant) -> String {
    if let version = variant.version { return "version \(version)" }
    if variant.parameters.isEmpty { return "the values of the template" }
    return variant.parameters.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
      .joined(separator: ", ")
  }

  /// Returns a sentence on what the experiment compares, its metric, and who takes part.
  static func about(_ experiment: Experiment, model: String?) -> String {
    var text = "Compares \(compares(experiment, model: model)) by \(metric(experiment.metric))."
    let range = experiment.range
    let share = DecimalText.short(Double(range.end - range.start) / 1_000_000, places: 4)
    text += " Units are \(experiment.unit.rawValue)s; \(share)\u{A0}% of them take part"
    text += range.layer.map { " in the layer \($0)." } ?? "."
    if let condition = experiment.condition { text += " Condition: \(condition)." }
    return text
  }

  /// Returns the effect of a start on the units, before it happens.
  static func start(_ experiment: Experiment) -> String {
    let weights = experiment.rows.last?.weights ?? []
    let parts = experiment.variants.enumerated().map { index, variant in
      "\(share(index, of: weights)) of the units get \(gets(variant))"
    }
    return "With their next request, \(parts.joined(separator: ", "))."
  }

  /// `50 : 50`.
  static func weights(_ weights: [Int]) -> String { weights.map(String.init).joined(separator: " : ") }

  /// `50 %`, of the units that take part.
  static func share(_ index: Int, of weights: [Int]) -> String {
    let sum = Double(max(1, weights.reduce(0, +)))
    return DecimalText.short(100 * Double(weights[index]) / sum, places: 2) + " %"
  }

  /// Returns the progress, and the days that the figures cover.
  static func progress(_ report: ExperimentReport) -> String {
    let units = report.analysis.units.reduce(0, +)
    let text =
      "\(DecimalText.grouped(units)) of \(DecimalText.grouped(report.experiment.planned)) planned units"
    guard let days = report.days else { return text + "." }
    return "\(text), from \(Timestamp.dayText(days.lowerBound)) to \(Timestamp.dayText(days.upperBound))."
  }
}
#endif
