// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host list`: every model of the host.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the models of a host: fovea host list")

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.models()
    } text: { reply throws(HostError) in
      let models = try reply.decode(HostAnswer.Models.self).models
      return TextTable.text(
        [["NAME", "LATEST", "CHANNELS", "ROLLOUT", "UPDATED"]]
          + models.map { model in
            [
              model.name, model.latest.map(String.init) ?? "–", model.channelText, model.rolloutText,
              TextTable.minute(model.updated),
            ]
          })
    }
  }
}
#endif
