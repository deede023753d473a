// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config history`: who published which version.
struct ConfigHistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show the versions of a template: fovea host config history",
    usage: "fovea host config history [options]")

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.configVersions(names.namespace)
    } text: { reply throws(HostError) in
      let versions = try reply.decode(HostAnswer.ConfigVersions.self).versions
      return TextTable.text(
        [["VERSION", "TIME", "WHO", "HOW", "DESCRIPTION"]]
          + versions.map { version in
            [
              String(version.version), TextTable.minute(version.time), version.author, version.type,
              version.description ?? "–",
            ]
          })
    }
  }
}
#endif
