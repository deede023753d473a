// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host history`: who changed a model, and when.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show who changed a model: fovea host history bird")

  @Argument(help: ArgumentHelp("The name of the model.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The most changes, 1 to 1000.", valueName: "n"))
  var limit = 100

  @OptionGroup var client: ClientOptions

  func validate() throws {
    guard (1...1_000).contains(limit) else { throw ValidationError("--limit is 1 to 1000.") }
  }

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.history(name, limit: limit)
    } text: { reply throws(HostError) in
      let entries = try reply.decode(HostAnswer.History.self).entries
      return TextTable.text(
        [["TIME", "WHO", "WHAT", "AFTER"]]
          + entries.map { [TextTable.minute($0.time), $0.actor, $0.action, $0.after ?? "–"] })
    }
  }
}
#endif
