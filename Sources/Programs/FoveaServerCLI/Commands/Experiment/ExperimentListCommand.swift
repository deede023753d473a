// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment list`: every experiment of the host.
struct ExperimentListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List experiments: fovea host experiment list")

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
#endif
