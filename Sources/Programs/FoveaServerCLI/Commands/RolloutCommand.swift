// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host rollout`: a version goes to a share of the devices.
struct RolloutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout",
    abstract: "Roll out: fovea host rollout bird 4 --percent 10",
    usage: "fovea host rollout <name> <version> --percent <p> [options]",
    discussion:
      "--halt and --finish take no version. A higher percentage keeps the devices that\nhave the version.")

  @Argument(help: ArgumentHelp("The name of the model.", valueName: "name"))
  var name: String

  @Argument(help: ArgumentHelp("The number of the version, with --percent.", valueName: "version"))
  var version: Int?

  @Option(help: ArgumentHelp("The share of the devices, 0 to 100.", valueName: "p"))
  var percent: Double?

  @Flag(help: "No device gets it any more.")
  var halt = false

  @Flag(help: "All devices get it: 'stable' points at it.")
  var finish = false

  @OptionGroup var client: ClientOptions

  func validate() throws { _ = try change() }

  /// What is asked for: exactly one of three things.
  func change() throws -> HostClient.RolloutChange {
    switch (version, percent, halt, finish) {
    case (let version?, let percent?, false, false):
      guard (0...100).contains(percent) else { throw ValidationError("--percent is 0 to 100.") }
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
