// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host rollback`: a channel points at the version before.
struct RollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Go back a version: fovea host rollback bird")

  @Argument(help: ArgumentHelp("The name of the model.", valueName: "name"))
  var name: String

  @Argument(help: ArgumentHelp("The channel.", valueName: "channel"))
  var channel = "stable"

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.rollBack(name, channel: channel)
    } text: { reply throws(HostError) in
      let made = try reply.decode(HostAnswer.Pointed.self)
      return "\(made.model.printable) version \(made.version) is \(made.channel.printable)\n"
    }
  }
}
#endif
