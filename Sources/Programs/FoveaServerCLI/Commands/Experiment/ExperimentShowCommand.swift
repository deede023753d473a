// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment show`: one experiment with its rows of weights.
struct ExperimentShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show an experiment: fovea host experiment show birds-2")

  @OptionGroup var name: ExperimentName
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.experiment(name.id)
    } text: { reply throws(HostError) in
      let experiment = try reply.decode(HostAnswer.Experiment.self)
      let draw = experiment.draw
      var text = ExperimentText.line(experiment)
      text += "drawn by \(experiment.unit.printable) with the seed \(draw.seed.printable)"
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
#endif
