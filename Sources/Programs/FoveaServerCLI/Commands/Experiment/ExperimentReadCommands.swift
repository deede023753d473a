// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment list`: lists the host's experiments.
struct ExperimentListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List experiments.")

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.experiments()
    } text: { reply throws(HostError) in
      let experiments = try reply.decode(HostAnswer.Experiments.self).experiments
      return TextTable.text(
        [["ID", "STATE", "MODEL", "VARIANTS", "METRIC", "STARTED"]]
          + experiments.map { experiment in
            [
              experiment.id, ExperimentText.state(experiment), experiment.model ?? "–",
              ExperimentText.variants(experiment), experiment.metric.name,
              experiment.started.map(TextTable.minute) ?? "–",
            ]
          })
    }
  }
}

/// `fovea host experiment show`: shows an experiment with the history of its weights.
struct ExperimentShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show an experiment.")

  @OptionGroup var name: ExperimentName
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.experiment(name.id)
    } text: { reply throws(HostError) in
      let experiment = try reply.decode(HostAnswer.Experiment.self)
      let draw = experiment.draw
      var text = ExperimentText.line(experiment)
      text += "assigned by \(experiment.unit.printable) with the seed \(draw.seed.printable)"
      text += draw.layer.map { " of the layer \($0.printable)" } ?? ""
      text +=
        ": \(TextTable.percent(draw.share)) % take part, \(TextTable.percent(draw.holdout)) % are held out\n"
      if let condition = experiment.condition { text += "condition: \(condition.printable)\n" }
      for (unit, variant) in (experiment.overrides ?? [:]).sorted(by: { $0.key < $1.key }) {
        text += "test device \(unit.printable): \(variant.printable)\n"
      }
      return text
        + TextTable.text(
          [["FROM", "WEIGHTS", "DRAWN"]]
            + (experiment.rows ?? []).map { row in
              [
                TextTable.minute(row.from), row.weights.map(String.init).joined(separator: ":"),
                row.drawn ? "yes" : "no",
              ]
            })
    }
  }
}

/// `fovea host experiment report`: reports the result so far.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Report the experiment's result so far.",
    discussion: """
      You can read the report every day: the intervals are valid for all looks
      together. A day counts once it has ended, a unit once its window has closed.
      """)

  @OptionGroup var name: ExperimentName

  @Flag(help: "Print the counts in the format of 'analyze'.")
  var counts = false

  @OptionGroup var client: ClientOptions

  func validate() throws {
    if counts, client.output.json { throw ValidationError("--counts already prints JSON: omit --json.") }
  }

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.report(name.id)
    } text: { reply throws(HostError) in
      let report = try reply.decode(HostAnswer.Report.self)
      guard !counts else { return JSONText.line { $0.members(of: report.counts) } }
      return try ExperimentText.report(report, of: reply.decode(HostAnswer.Experiment.self))
    }
  }
}
#endif
