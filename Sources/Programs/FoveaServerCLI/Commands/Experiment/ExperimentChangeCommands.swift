// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment pause`: assigns no variants until the experiment is resumed.
struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause an experiment.",
    discussion: "All devices get the stable version, and their events are not counted.")

  @OptionGroup var name: ExperimentName
  @OptionGroup var client: ClientOptions

  func run() async throws { try await client.change(name.id, .pause) }
}

/// `fovea host experiment resume`: ends a pause, or starts a draft.
struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume an experiment or start a draft.",
    discussion: "Each unit keeps its variant.")

  @OptionGroup var name: ExperimentName
  @OptionGroup var client: ClientOptions

  func run() async throws { try await client.change(name.id, .resume) }
}

/// `fovea host experiment stop`: stops an experiment without a winner.
struct StopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop an experiment.",
    discussion: "All devices get the stable version. The report is kept.")

  @OptionGroup var name: ExperimentName
  @OptionGroup var client: ClientOptions

  func run() async throws { try await client.change(name.id, .stop) }
}

/// `fovea host experiment weights`: changes the shares from now on.
struct WeightsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "weights", abstract: "Change the variants' shares.",
    discussion: """
      Example: fovea host experiment weights birds-2 80 20

      Starts a new row in the report, with its own expected shares. Units between the
      old and the new bounds get another variant; each counts for the variant that it
      saw first.
      """)

  @OptionGroup var name: ExperimentName

  @Argument(help: ArgumentHelp("A weight for each variant, in order.", valueName: "weight"))
  var weights: [Int]

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.setWeights(weights, of: name.id)
    }
  }
}

/// `fovea host experiment override`: sets the variant of a test device.
struct OverrideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "override",
    abstract: "Set the variant of a test device.",
    usage: "fovea host experiment override <id> <unit> [<variant>] [options]",
    discussion: """
      Example: fovea host experiment override birds-2 UNIT b

      Test devices are not counted.
      """)

  @OptionGroup var name: ExperimentName

  @Argument(help: ArgumentHelp("The installation's or user's id.", valueName: "unit"))
  var unit: String

  @Argument(help: ArgumentHelp("The variant's id.", valueName: "variant"))
  var variant: String?

  @Flag(help: "Remove the override: the device is assigned and counted again.")
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

/// `fovea host experiment roll-out`: rolls a variant out to everyone.
struct RollOutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roll-out", abstract: "Roll a variant out to everyone.",
    discussion: """
      Example: fovea host experiment roll-out birds-2 b

      Ends the experiment. 'stable' then points to the variant's version; its
      parameters reach every app that meets the condition, until the experiment is
      stopped.
      """)

  @OptionGroup var name: ExperimentName

  @Argument(help: ArgumentHelp("The variant's id.", valueName: "variant"))
  var variant: String

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.rollOut(variant, of: name.id)
    }
  }
}

extension ClientOptions {
  /// Changes an experiment and prints its new state.
  fileprivate func change(_ id: String, _ step: HostClient.ExperimentStep) async throws {
    try await run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.change(id, step)
    }
  }
}
#endif
