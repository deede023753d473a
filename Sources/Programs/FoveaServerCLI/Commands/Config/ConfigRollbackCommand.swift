// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config rollback`: a former version is published again.
struct ConfigRollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Publish a former version again: fovea host config rollback 3",
    usage: "fovea host config rollback <n> [options]")

  @Argument(help: ArgumentHelp("The number of the version.", valueName: "n"))
  var version: Int

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.rollBackConfig(names.namespace, to: version)
    } text: { reply throws(HostError) in
      let made = try reply.decode(HostAnswer.PublishedConfig.self)
      return "version \(made.version) of \(made.namespace.printable) is version \(version) again\n"
        + ConfigText.changes(made)
    }
  }
}
#endif
