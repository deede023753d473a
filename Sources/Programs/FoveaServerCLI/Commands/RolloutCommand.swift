// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host rollout`: rolls a version out to a share of the devices.
struct RolloutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout",
    abstract: "Roll out a version.",
    usage: "fovea host rollout <name> <version> --percent <p> [options]",
    discussion: """
      Example: fovea host rollout bird 4 --percent 10

      --halt and --finish take no version. Raising the percentage keeps the devices
      that already have the version.
      """)

  @Argument(help: ArgumentHelp("The model's name.", valueName: "name"))
  var name: String

  @Argument(help: ArgumentHelp("The version's number, with --percent.", valueName: "version"))
  var version: Int?

  @Option(
    help: ArgumentHelp("The share of the devices, 0 to 100.", valueName: "p"),
    transform: DecimalNumber.option)
  var percent: Double?

  @Flag(help: "Stop the rollout.")
  var halt = false

  @Flag(help: "Roll out to all devices: 'stable' then points to the version.")
  var finish = false

  @OptionGroup var client: ClientOptions

  func validate() throws { _ = try change() }

  /// Returns the requested change, exactly one of three.
  func change() throws -> HostClient.RolloutChange {
    switch (version, percent, halt, finish) {
    case (let version?, let percent?, false, false):
      guard (0...100).contains(percent) else {
        throw ValidationError("--percent must be between 0 and 100, got \(TextTable.percent(percent)).")
      }
      return .share(version: version, percent: percent)
    case (nil, nil, true, false): return .halt
    case (nil, nil, false, true): return .finish
    default: throw ValidationError("Give a version with --percent, or --halt, or --finish.")
    }
  }

  func run() async throws {
    let change = try change()
    try await client.run(printing: TextTable.line) { host throws(HostError) in
      try await host.rollOut(name, change)
    }
  }
}

/// `fovea host rollback`: points a channel at its previous version.
struct RollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Go back to the previous version.")

  @Argument(help: ArgumentHelp("The model's name.", valueName: "name"))
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
        + TextTable.warning(made.warning)
    }
  }
}
#endif
