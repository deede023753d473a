// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config history`: lists the versions with their authors.
struct ConfigHistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show the versions of a template.",
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

/// `fovea host config get`: prints the active template.
struct ConfigGetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print a template.",
    usage: "fovea host config get [options]", discussion: "Example: fovea host config get > template.json")

  @Option(help: ArgumentHelp("An earlier version (default: the active one).", valueName: "n"))
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

/// `fovea host config defaults`: prints default values to build into an app.
struct ConfigDefaultsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults",
    abstract: "Print the default values.",
    usage: "fovea host config defaults [options]",
    discussion: "Example: fovea host config defaults --format plist")

  @Option(
    help: ArgumentHelp("plist is for Apple's apps, xml for Android (default: json).", valueName: "format"))
  var format: ConfigDefaults?

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.configDefaults(names.namespace, format ?? .json)
    } text: { reply throws(HostError) in
      try reply.decode(HostAnswer.ConfigDefaultsFile.self).text
    }
  }
}
#endif
