// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment override`: a test device gets a variant.
struct OverrideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "override",
    abstract: "Give a test device a variant: fovea host experiment override birds-2 UNIT b",
    usage: "fovea host experiment override <id> <unit> [<variant>] [options]",
    discussion: "Test devices are not counted.")

  @OptionGroup var name: ExperimentName

  @Argument(help: ArgumentHelp("The id of the installation or user.", valueName: "unit"))
  var unit: String

  @Argument(help: ArgumentHelp("The id of the variant.", valueName: "variant"))
  var variant: String?

  @Flag(help: "It gets the variant that it draws, and counts, again.")
  var clear = false

  @OptionGroup var client: ClientOptions

  func validate() throws {
    guard (variant == nil) == clear else { throw ValidationError("Give a variant, or --clear.") }
  }

  func run() async throws {
    try await client.run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.setOverride(variant, unit: unit, of: name.id)
    }
  }
}
#endif
