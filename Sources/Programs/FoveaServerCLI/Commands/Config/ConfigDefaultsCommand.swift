// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config defaults`: the values that an app can build in.
struct ConfigDefaultsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults",
    abstract: "Print the default values: fovea host config defaults --format plist",
    usage: "fovea host config defaults [options]")

  @Option(
    help: ArgumentHelp("json, plist for Apple's apps, or xml for Android's.", valueName: "format"))
  var format = ConfigDefaults.json

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.configDefaults(names.namespace, format)
    } text: { reply throws(HostError) in
      try reply.decode(HostAnswer.ConfigDefaultsFile.self).text
    }
  }
}
#endif
