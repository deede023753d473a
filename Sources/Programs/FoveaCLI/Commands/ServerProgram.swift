// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore

/// The program that hosts models and answers over HTTP: it has a server inside, which this one must not have.
enum ServerProgram {
  static let name = "fovea-server"

  /// Whether the arguments are `host …` or `serve …`, or ask for help on them.
  static func isAsked(_ arguments: some Collection<String>) -> Bool {
    let words = arguments.first == "help" ? Array(arguments.dropFirst()) : Array(arguments)
    let names = [HostCommand.configuration.commandName, ServeCommand.configuration.commandName]
    return words.first.map { names.contains($0) } ?? false
  }

  /// Where it is looked for: next to this program, and where `make install` may put it.
  static func places(for program: String) -> [String] {
    let folder = FilePath(program).parent
    return [folder + "/" + name, folder + "/../libexec/fovea/" + name]
  }

  /// Becomes that program, with the arguments byte by byte as they came.
  /// - Returns: The code to exit with, only where there is no such program.
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

  /// - Returns: The error number; it returns only where it fails.
  private static func start(_ path: String) -> Int32 {
    // The other program answers them: between the two a signal would end the process without an exit code.
    Signals.hold()
    defer { Signals.release() }
    unsafe execv(path, CommandLine.unsafeArgv)
    return errno
  }

  /// The path of this program, links followed.
  static var ownPath: String {
    (try? FilePath.resolved("/proc/self/exe")) ?? CommandLine.arguments.first ?? ""
  }
}

/// `fovea host`: what the program `fovea-server` does, which takes the place of this one.
struct HostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "Host models for apps: fovea host --help")

  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("What fovea-server gets.", valueName: "argument"))
  var arguments: [String] = []

  func run() async throws { throw ServerProgram.replaceThisOne() }
}

/// `fovea serve`: what the program `fovea-server` does, which takes the place of this one.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Answer images over HTTP: fovea serve --help")

  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("What fovea-server gets.", valueName: "argument"))
  var arguments: [String] = []

  func run() async throws { throw ServerProgram.replaceThisOne() }
}
