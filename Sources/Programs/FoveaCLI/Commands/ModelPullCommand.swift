// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// `fovea model pull`: the only command that opens a network connection.
struct ModelPullCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Download a model.",
    discussion: """
      Example: fovea model pull coco-ssd-mobilenet-v1
      Shows size and licence, asks, downloads, verifies. Resumes an interrupted
      download. A name that is not in the catalogue is looked up on your own host,
      FOVEA_MODEL_HOST, and downloaded without asking.
      """)

  @Argument(help: ArgumentHelp("A name from 'fovea model list' or of your host.", valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "URL of a mirror's folder, or of a model host with {name} in it.", valueName: "url"))
  var host: String?

  @Flag(name: .shortAndLong, help: "Do not ask; for scripts.")
  var yes = false

  @Flag(name: .shortAndLong, help: "No progress.")
  var quiet = false

  func run() async throws {
    ProcessSignals.install()
    let pull = ModelPull(
      name: name, host: host, isConfirmed: yes, isQuiet: quiet, stop: StopSignal(listensToProcess: true))
    let end =
      if let hosted = HostedPull.meant(by: pull) { await hosted.execute() } else { await pull.execute() }
    switch end {
    case .success(let path): try CommandFailure.print(path + "\n")
    case .failure(.code(let code)): throw ExitCode(code)
    case .failure(.needsConfirmation):
      _ = CommandFailure.report(
        FoveaError(
          .confirmationNeeded,
          "cannot ask for confirmation: standard input is not a terminal",
          remedy: "Pass --yes to accept"))
      throw ExitCode(64)
    }
  }
}
