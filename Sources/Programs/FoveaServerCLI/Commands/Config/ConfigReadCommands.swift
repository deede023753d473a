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

/// `fovea host config defaults`: the values that an app can build in.
struct ConfigDefaultsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults",
    abstract: "Print the default values: fovea host config defaults --format plist",
    usage: "fovea host config defaults [options]")

  @Option(help: ArgumentHelp("json, plist for Apple's apps, or xml for Android's.", valueName: "format"))
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
