// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore

/// The program `fovea-server`, which hosts models and serves inference over HTTP; `fovea` itself must not
/// contain a server.
enum ServerProgram {
  static let name = "fovea-server"

  /// Whether the arguments are `host …` or `serve …`, or ask for help on them.
  static func isAsked(_ arguments: some Collection<String>) -> Bool {
    let words = arguments.first == "help" ? Array(arguments.dropFirst()) : Array(arguments)
    let names = [
      ForwardedHostCommand.configuration.commandName, ForwardedInferenceCommand.configuration.commandName,
    ]
    return words.first.map { names.contains($0) } ?? false
  }

  /// Returns the paths to search: next to this program, and where `make install` may put it.
  static func places(for program: String) -> [String] {
    let folder = FilePath(program).parent
    return [folder + "/" + name, folder + "/../libexec/fovea/" + name]
  }

  /// Replaces this process with that program and passes the arguments on byte by byte.
  /// - Returns: The exit code if the program cannot be started; otherwise it does not return.
  static func replaceThisOne(
    _ program: String = ownPath, start: (String) -> Int32 = { ServerProgram.start($0) }
  ) -> ExitCode {
    var problem = "is not next to 'fovea'"
    for path in places(for: program) {
      let number = start(path)
      if number != ENOENT, number != ENOTDIR { problem = "cannot be started: \(systemMessage(number))" }
    }
    return CommandFailure.report(
      FoveaError(
        .serverProgramMissing, "The program '\(name)' \(problem)", remedy: "Build both with make build"))
  }

  /// - Returns: The error number; it returns only on failure.
  private static func start(_ path: String) -> Int32 {
    // The other program handles signals; one in between would end the process without an exit code.
    Signals.hold()
    defer { Signals.release() }
    unsafe execv(path, CommandLine.unsafeArgv)
    return errno
  }

  /// The path of this program, with symbolic links resolved.
  static var ownPath: String {
    (try? FilePath.resolved("/proc/self/exe")) ?? CommandLine.arguments.first ?? ""
  }
}

/// `fovea host`: replaced by the program `fovea-server`.
struct ForwardedHostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "Host models for apps.",
    discussion: "Example: fovea host init models --project birds")

  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("Arguments for fovea-server.", valueName: "argument"))
  var arguments: [String] = []

  func run() async throws { throw ServerProgram.replaceThisOne() }
}

/// `fovea serve`: replaced by the program `fovea-server`.
struct ForwardedInferenceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Detect and label images over HTTP.",
    discussion: "Example: fovea serve")

  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("Arguments for fovea-server.", valueName: "argument"))
  var arguments: [String] = []

  func run() async throws { throw ServerProgram.replaceThisOne() }
}
