// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment pause`: no unit gets a variant until it goes on.
struct PauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause: fovea host experiment pause birds-2",
    discussion: "All devices get the stable version, and what they log is not counted.")

  @OptionGroup var name: ExperimentName
  @OptionGroup var client: ClientOptions

  func run() async throws { try await client.change(name.id, .pause) }
}

/// `fovea host experiment resume`: a pause ends, a draft begins.
struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Go on: fovea host experiment resume birds-2",
    discussion: "Each unit gets the variant that it had. A draft begins.")

  @OptionGroup var name: ExperimentName
  @OptionGroup var client: ClientOptions

  func run() async throws { try await client.change(name.id, .resume) }
}

/// `fovea host experiment stop`: it ends without a winner.
struct StopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop: fovea host experiment stop birds-2",
    discussion: "All devices get the stable version. The report stays.")

  @OptionGroup var name: ExperimentName
  @OptionGroup var client: ClientOptions

  func run() async throws { try await client.change(name.id, .stop) }
}

/// `fovea host experiment weights`: other shares from now on.
struct WeightsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "weights", abstract: "Change the shares: fovea host experiment weights birds-2 80 20",
    discussion:
      "Begins a new row, with expected shares of its own. Units between the old and the\nnew bounds get another variant; each counts as the one that it saw first."
  )

  @OptionGroup var name: ExperimentName

  @Argument(help: ArgumentHelp("A weight for each variant, in their order.", valueName: "weight"))
  var weights: [Int]

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.setWeights(weights, of: name.id)
    }
  }
}

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

extension ClientOptions {
  /// Changes an experiment, and prints what it is now.
  fileprivate func change(_ id: String, _ step: HostClient.ExperimentStep) async throws {
    try await run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.change(id, step)
    }
  }
}
#endif
