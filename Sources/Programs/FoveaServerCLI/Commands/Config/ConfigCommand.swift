// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config`: values that apps fetch.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Publish values that apps fetch.",
    discussion: "check and evaluate work on a file; all others talk to the host in the key file.",
    subcommands: [
      ConfigPublishCommand.self, ConfigGetCommand.self, ConfigHistoryCommand.self,
      ConfigRollbackCommand.self, ConfigDefaultsCommand.self, ConfigCheckCommand.self,
      ConfigEvaluateCommand.self,
    ])
}

/// `--namespace`.
struct NamespaceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The template's users: firebase (apps) or firebase-server (servers).", valueName: "namespace"))
  var namespace = ConfigNamespace.apps
}

extension ConfigNamespace: ExpressibleByArgument {}

extension ConfigDefaults: ExpressibleByArgument {
  package init?(argument: String) { self.init(rawValue: argument.uppercased()) }
  // Without it, the help would list each value with an empty description.
  package static var allValueDescriptions: [String: String] { [:] }
  package static var allValueStrings: [String] { allCases.map { $0.rawValue.lowercased() } }
}
#endif
