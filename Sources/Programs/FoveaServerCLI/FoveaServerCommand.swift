// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaHTTP
import FoveaCore

/// `fovea-server`: what `fovea host …` and `fovea serve …` become.
///
/// Its commands call themselves by the name under which users know them.
@main
struct FoveaServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fovea",
    abstract: "Host models and answer images: fovea serve",
    subcommands: [HostCommand.self, InferenceCommand.self, HealthcheckCommand.self])

  static func main() async {
    if startsServer(CommandLine.arguments.dropFirst()) { StartSignals.install() }
    // 'fovea' has held them back since it began to be this program.
    Signals.release()
    // A reader that goes is an error of writing, not the end of the process.
    _ = signal(SIGPIPE, SIG_IGN)
    // And so is a file of the host that would be larger than its limit.
    if CommandLine.arguments.dropFirst().first == "host" { _ = signal(SIGXFSZ, SIG_IGN) }
    if CommandLine.arguments.dropFirst().first == "serve" {
      Allocator.returnMemory(heaps: Cores.available / 2)
    }
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      await main(try ConfigArguments.checked(arguments))
    } catch {
      exit(withError: CommandEnd.report(error))
    }
  }

  /// Whether the arguments start a server, as far as they show it before they are parsed: not a command below `serve`, help or a
  /// check.
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
