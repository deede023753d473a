// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// `fovea model pull`: the only command that opens a network connection.
struct ModelPullCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Download a model: fovea model pull coco-ssd-mobilenet-v1",
    discussion: """
      Shows size and licence, asks, downloads, verifies. Goes on where an
      earlier pull ended. A name that the catalogue lacks is a model of your
      own host, FOVEA_MODEL_HOST, and comes without a question.
      """)

  @Argument(help: ArgumentHelp("A name that 'fovea model list' shows, or a host's.", valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "A mirror's folder, or with {name} a model host.", valueName: "url"))
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
