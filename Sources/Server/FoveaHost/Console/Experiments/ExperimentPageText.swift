// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

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
  ///
  /// Weights are shares of the units that take part: those in the range, which meet the condition, and have
  /// an id of the experiment's kind.
  static func start(_ experiment: Experiment) -> String {
    let weights = experiment.rows.last?.weights ?? []
    let isWhole = experiment.range.start == 0 && experiment.range.end == PercentHash.count
    let units = isWhole && experiment.condition == nil ? "the units" : "those that take part"
    let parts = experiment.variants.enumerated().map { index, variant in
      "\(share(index, of: weights)) of \(units) get \(gets(variant))"
    }
    var text = "With their next request, \(parts.joined(separator: ", "))."
    let others = experiment.model == nil ? "what they get without it" : "the stable version"
    if !isWhole {
      let condition = experiment.condition == nil ? "" : " that meet the condition"
      text += " \(part(experiment.range)) of the units\(condition) take part; all others get \(others)."
    } else if experiment.condition != nil {
      text += " Units that do not meet the condition get \(others)."
    }
    if experiment.unit == .user { text += " Devices whose app sets no user id get \(others)." }
    return text
  }

  /// Returns the effect of a rollout of a variant to all, before it happens.
  /// - Parameters:
  ///   - variant: The variant.
  ///   - experiment: Its experiment.
  ///   - others: The other experiments that set parameters of the experiment now.
  /// - Returns: The sentences.
  static func rollOut(
    _ variant: Experiment.Variant, of experiment: Experiment, besides others: [Experiment]
  ) -> String {
    if let version = variant.version {
      return "The channel 'stable' points at version \(version), and all devices get it."
    }
    let apps = experiment.condition == nil ? "Every app" : "Every app that meets the condition"
    return "\(apps) gets \(gets(variant)), until the experiment is stopped."
      + ConfigSummary.kept(experiment.parameterNames, by: others)
  }

  /// Returns the effect of an experiment that assigns no variants any more, before it happens.
  /// - Parameters:
  ///   - experiment: The experiment, which assigns variants.
  ///   - end: The end of the first sentence, without a full stop.
  ///   - others: The other experiments that set parameters of the experiment now.
  /// - Returns: The sentences.
  static func withoutVariants(
    _ experiment: Experiment, _ end: String, besides others: [Experiment]
  ) -> String {
    guard experiment.model == nil else { return "All devices get the stable version again\(end)." }
    let values = others.isEmpty ? "the values of the template again" : "the values that they get without it"
    return "Apps get \(values)\(end)." + ConfigSummary.kept(experiment.parameterNames, by: others)
  }

  /// Returns that no device gets the model of an experiment, nor its variants; nil if devices get it, and for
  /// parameters.
  static func absence(of model: HostModel?, in experiment: Experiment) -> String? {
    guard experiment.model != nil, model?.isPublished != true else { return nil }
    let state = model == nil ? "was deleted" : "is not published"
    return "The model \(state): no device gets it, with the experiment or without it."
  }

  /// Returns whether units get the variants that they had before a pause, after a space; empty for an
  /// experiment that has not run.
  static func sinceEarlier(_ experiment: Experiment) -> String {
    guard let former = experiment.rows.last(where: \.isDrawn), let present = experiment.rows.last else {
      return ""
    }
    return experiment.range.bounds(former.weights) == experiment.range.bounds(present.weights)
      ? " Each unit gets its earlier variant again."
      : " The weights were \(weights(former.weights)) before: units between the old and the new bounds get "
        + "another variant than before the pause."
  }

  /// Returns the effect of other weights on the units, before they change.
  static func weights(from experiment: Experiment, to after: Experiment) -> String {
    let (old, new) = (experiment.rows.last?.weights ?? [], after.rows.last?.weights ?? [])
    let change = "The weights change from \(weights(old)) to \(weights(new))."
    guard old != new else { return "The weights are \(weights(old)) already." }
    guard experiment.range.bounds(old) != experiment.range.bounds(new) else {
      return "\(change) The shares are the same, so no unit gets another variant."
    }
    return experiment.state == .running
      ? "\(change) With their next request, units between the old and the new bounds get another variant."
      : "\(change) They apply when the experiment is running."
  }

  /// Returns what a test device or a test user gets once it is set.
  static func override(of unit: String, in experiment: Experiment) -> String {
    let isUser = experiment.unit == .user
    let found = experiment.overrides[unit].flatMap(experiment.index).map { experiment.variants[$0] }
    let condition =
      experiment.condition == nil ? "" : " if \(isUser ? "the app" : "it") meets the condition"
    let random = "\(isUser ? "their" : "its") random assignment"
    let next = found.map { "\(gets($0))\(condition), and is not counted" } ?? random
    guard experiment.state == .running else {
      return "The experiment is \(experiment.state.text): when it is running, "
        + "the \(experiment.unit.tester) gets \(next)."
    }
    return isUser
      ? "With the next request of an app that sets this user id, the user gets \(next)."
      : "With its next request, it gets \(next)."
  }

  /// `30 %`, of all units.
  private static func part(_ range: DrawRange) -> String {
    DecimalText.short(Double(range.end - range.start) / 1_000_000, places: 4) + " %"
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
