// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `fovea`: the verbs, and nothing else.
@main
struct FoveaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fovea",
    abstract: "Example: fovea detect street.jpg",
    discussion: "Finds and labels objects in photos with TFLite models.",
    subcommands: [DetectCommand.self, LabelCommand.self])

  @Flag(help: "Print the version, and LiteRT's.")
  var version = false

  func run() async throws {
    guard version else { throw CleanExit.helpRequest(self) }
    print(Version.line)
  }
}
