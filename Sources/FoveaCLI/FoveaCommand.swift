// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct FoveaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "fovea")
}
