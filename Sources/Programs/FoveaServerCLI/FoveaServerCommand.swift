// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaHTTP
import FoveaCore

/// `fovea-server`: the program behind `fovea host …` and `fovea serve …`.
///
/// Its help uses the command names that users type.
@main
struct FoveaServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fovea",
    abstract: "Host models and run inference.",
    subcommands: [HostCommand.self, InferenceCommand.self, HealthcheckCommand.self])

  static func main() async {
    if startsServer(CommandLine.arguments.dropFirst()) { StartSignals.install() }
    // 'fovea' blocks these signals before it replaces itself with this program.
    Signals.release()
    // A closed pipe is a write error; it must not end the process.
    _ = signal(SIGPIPE, SIG_IGN)
    // Nor may a host's file that would exceed its size limit.
    if CommandLine.arguments.dropFirst().first == "host" { _ = signal(SIGXFSZ, SIG_IGN) }
    if CommandLine.arguments.dropFirst().first == "serve" {
      Allocator.returnMemory(heaps: Cores.available / 2)
    }
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      let problem = ModelSettingArgument.problem(in: arguments) ?? ForeignArgument.problem(in: arguments)
      if let problem {
        CommandEnd.warn(problem)
        exit(withError: ExitCode.validationFailure)
      }
      await main(try ConfigArguments.checked(arguments))
    } catch {
      exit(withError: CommandEnd.report(error))
    }
  }

  /// Returns whether the arguments appear to start a server, before they are parsed: no command below
  /// `serve`, help or check.
  static func startsServer(_ arguments: some Collection<String>) -> Bool {
    let others = [
      "key", "healthcheck", "help", "--check-config", "--help", "-h", "--help-hidden", "--version",
    ]
    guard !arguments.contains(where: { others.contains($0) }) else { return false }
    return arguments.first == "serve" || arguments.starts(with: ["host", "serve"])
  }
}
#else
/// Without the trait `Server` there is no server to run.
@main
struct FoveaServerCommand {
  static func main() { print("fovea-server was built without the trait Server. Run make build.") }
}
#endif
