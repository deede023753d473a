// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
