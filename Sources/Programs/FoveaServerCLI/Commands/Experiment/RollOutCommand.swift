// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment roll-out`: a variant goes to all.
struct RollOutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roll-out", abstract: "Give a variant to all: fovea host experiment roll-out birds-2 b",
    discussion:
      "The experiment ends. 'stable' points at the variant's version; its parameters\nreach every app that the condition is for, until the experiment is stopped."
  )

  @OptionGroup var name: ExperimentName

  @Argument(help: ArgumentHelp("The id of the variant.", valueName: "variant"))
  var variant: String

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.rollOut(variant, of: name.id)
    }
  }
}
#endif
