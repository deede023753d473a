// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
