// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHTTP

/// `fovea-server healthcheck`: whether a server is ready, as an exit code.
struct HealthcheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "healthcheck",
    abstract: "Ask a server if it is ready: fovea serve healthcheck",
    usage: "fovea serve healthcheck [<url>] [options]",
    discussion: "Exits with 0 where the answer is 200, else with 1 and a line that says why.")

  @OptionGroup var question: HealthQuestion

  func run() async throws { try await question.ask() }
}

/// `fovea serve healthcheck`: the same, where options of `fovea serve` may stand before it.
struct InferenceHealthcheckCommand: AsyncParsableCommand {
  static let configuration = HealthcheckCommand.configuration

  @ParentCommand var server: InferenceCommand
  @OptionGroup var question: HealthQuestion

  /// Refuses the options of `fovea serve`: no server is started that could have them.
  /// - Throws: `ValidationError`.
  func checkOptions() throws { try server.refuseOptions("means nothing to its check of health") }

  func run() async throws {
    try checkOptions()
    try await question.ask()
  }
}

/// What a check of health asks.
struct HealthQuestion: ParsableArguments {
  @Argument(help: ArgumentHelp("What to ask.", valueName: "url"))
  var url = "http://127.0.0.1:8080/readyz"

  @Flag(help: "Take any certificate, such as one that the server has signed itself.")
  var insecure = false

  @Option(
    help: ArgumentHelp("How long the answer may take: 3s, 500ms. (default: 3s)", valueName: "time"),
    transform: Seconds.init(option:))
  var timeout = Seconds(3)

  func ask() async throws {
    do {
      let limit = Duration.milliseconds(Int64(timeout.seconds * 1_000))
      let probe = try HealthProbe(url, isInsecure: insecure, limit: limit)
      try await probe.run()
      try CommandEnd.print("ready \(probe.url)\n")
    } catch let error as ServerError {
      throw CommandEnd.report(error)
    }
  }
}
#endif
