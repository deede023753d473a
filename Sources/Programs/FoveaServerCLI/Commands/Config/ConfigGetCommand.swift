// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config get`: the template in force.
struct ConfigGetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print a template: fovea host config get > template.json",
    usage: "fovea host config get [options]")

  @Option(help: ArgumentHelp("A former version (default: the one in force).", valueName: "n"))
  var version: Int?

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.config(names.namespace, version: version)
    } text: { reply throws(HostError) in
      try JSONValue.template(of: reply).page
    }
  }
}
#endif
