// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaCore

/// Experiments and reports as lines of text.
enum ExperimentText {
  /// Returns one line about an experiment, after a change.
  static func line(_ experiment: HostAnswer.Experiment) -> String {
    var text = "\(experiment.id.printable) is \(state(experiment))"
    text += experiment.model.map { " on \($0.printable)" } ?? ""
    return text + ": \(variants(experiment)); metric: \(metric(experiment.metric))\n"
      + TextTable.warning(experiment.warning)
  }

  /// Returns `running`, `rolled out (b)`, `stopped (b was rolled out)`.
  static func state(_ experiment: HostAnswer.Experiment) -> String {
    if let winner = experiment.winner {
      return experiment.state == "rolledOut"
        ? "rolled out (\(winner.printable))"
        : "\(experiment.state.printable) (\(winner.printable) was rolled out)"
    }
    return experiment.state == "draft" ? "a draft" : experiment.state.printable
  }

  /// Returns `a version 1 to 50 %, b version 2 to 50 %`.
  static func variants(_ experiment: HostAnswer.Experiment) -> String {
    let sum = Double(experiment.variants.reduce(0) { $0 + ($1.weight ?? 0) })
    return experiment.variants.map { variant in
      let percent = sum > 0 ? 100 * Double(variant.weight ?? 0) / sum : 0
      return "\(variant.id.printable)\(variant.version.map { " version \($0)" } ?? "") to "
        + "\(DecimalText.short(percent, places: 2)) %"
    }.joined(separator: ", ")
  }

  /// Returns `confirmed, conversion within 24 hours`.
  static func metric(_ metric: HostAnswer.Experiment.Metric) -> String {
    let window = WindowText.text(seconds: metric.window)
    return "\(metric.name.printable), \(metric.kind.printable) within \(window)"
  }

  /// Returns the findings and the figures they are based on.
  static func report(_ report: HostAnswer.Report, of experiment: HostAnswer.Experiment) -> String {
    let units = report.arms.reduce(0) { $0 + $1.units }
    let state = experiment.state == "rolledOut" ? "rolled out" : experiment.state.printable
    var text = "\(experiment.id.printable) is \(state)"
    if let from = report.from, let until = report.until {
      text +=
        "; \(DecimalText.counted(report.counts.looks.count, "look", "looks")) from \(from) to \(until)"
    }
    text += "; \(DecimalText.grouped(units)) of \(DecimalText.grouped(experiment.planned)) planned units\n"
    let isConversion = experiment.metric.kind == "conversion"
    var rows = [
      [
        "VARIANT", "VERSION", "EXPOSED", "UNITS", isConversion ? "CONVERSIONS" : "SUM",
        isConversion ? "RATE" : "MEAN",
      ]
    ]
    for arm in report.arms {
      let mean = arm.mean.map {
        isConversion ? DecimalText.fixed(100 * $0, places: 2) + " %" : DecimalText.short($0, places: 4)
      }
      rows.append([
        arm.variant, arm.version.map(String.init) ?? "–", DecimalText.grouped(arm.exposed),
        DecimalText.grouped(arm.units), DecimalText.short(arm.sum, places: 4), mean ?? "–",
      ])
    }
    text += TextTable.text(rows)
    for line in report.findings { text += line.printable + "\n" }
    for note in report.notes { text += "note: \(note.printable)\n" }
    return text
  }
}
#endif
