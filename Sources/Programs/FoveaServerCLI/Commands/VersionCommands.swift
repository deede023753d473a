// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host channel`: points a channel at a version.
struct ChannelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "channel",
    abstract: "Point a channel at a version.",
    discussion: """
      Example: fovea host channel bird stable 3

      Devices get the version that 'stable' points to; any other name is for your own
      use.
      """)

  @Argument(help: ArgumentHelp("The model's name.", valueName: "name"))
  var name: String

  @Argument(help: ArgumentHelp("The channel, such as 'stable' or 'beta'.", valueName: "channel"))
  var channel: String

  @Argument(help: ArgumentHelp("The version's number.", valueName: "version"))
  var version: Int

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run(printing: TextTable.line) { host throws(HostError) in
      try await host.point(name, channel: channel, version: version)
    }
  }
}

/// `fovea host withdraw`: deletes the file of a version at once.
struct WithdrawCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Delete a version.",
    discussion: "Deletes the version permanently. Devices that already have it keep it.")

  @Argument(help: ArgumentHelp("The model's name.", valueName: "name"))
  var name: String

  @Argument(help: ArgumentHelp("The version's number.", valueName: "version"))
  var version: Int

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run(printing: TextTable.line) { host throws(HostError) in
      try await host.withdraw(name, version: version)
    }
  }
}
#endif
