// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaModels

/// `fovea model rollback`: goes back to the version of a hosted model that was in use before.
struct ModelRollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Go back to a host's version before: fovea model rollback bird",
    discussion: """
      The version that is left is not pulled again; the next one is. Another
      rollback goes forward again. Nothing is downloaded.
      """)

  @Argument(help: ArgumentHelp("The name of a model of your host.", valueName: "name"))
  var name: String

  func run() async throws {
    ProcessSignals.ignorePipes()
    let model = try CommandFailure.exit { () throws(FoveaError) in
      do throws(ModelStoreError) { return try HostedModels().rollBack(name) } catch {
        throw FoveaError(error)
      }
    }
    try CommandFailure.print(model.path + "\n")
  }
}
