// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHTTP

/// `fovea-server healthcheck`: reports by its exit code whether a server is ready.
struct HealthcheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "healthcheck",
    abstract: "Check whether a server is ready.",
    usage: "fovea serve healthcheck [<url>] [options]",
    discussion: "Exits with 0 if the server answers 200, otherwise with 1 and the reason.")

  @OptionGroup var question: HealthQuestion

  func run() async throws { try await question.ask() }
}

/// `fovea serve healthcheck`: the same, after options of `fovea serve`.
struct InferenceHealthcheckCommand: AsyncParsableCommand {
  static let configuration = HealthcheckCommand.configuration

  @ParentCommand var server: InferenceCommand
  @OptionGroup var question: HealthQuestion

  /// Refuses the options of `fovea serve`: this command starts no server.
  /// - Throws: `ValidationError`.
  func checkOptions() throws { try server.refuseOptions("has no meaning for healthcheck") }

  func run() async throws {
    try checkOptions()
    try await question.ask()
  }
}

/// The options of a health check.
struct HealthQuestion: ParsableArguments {
  @Argument(help: ArgumentHelp("The address to check.", valueName: "url"))
  var url = "http://127.0.0.1:8080/readyz"

  @Flag(help: "Accept any certificate, such as a self-signed one.")
  var insecure = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Time limit for the answer: 3s, 500ms. (default: 3s)", valueName: "time"),
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
