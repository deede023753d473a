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

extension ClientOptions {
  /// Changes an experiment, and prints what it is now.
  fileprivate func change(_ id: String, _ step: HostClient.ExperimentStep) async throws {
    try await run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.change(id, step)
    }
  }
}
#endif
