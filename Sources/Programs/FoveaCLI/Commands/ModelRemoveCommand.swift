// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaModels

/// `fovea model remove`: deletes an installed model.
struct ModelRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Delete an installed model: fovea model remove object-labeler")

  @Argument(help: ArgumentHelp("The name of the model.", valueName: "name"))
  var name: String

  func run() async throws {
    ProcessSignals.ignorePipes()
    try CommandFailure.exit { () throws(FoveaError) in
      do throws(ModelStoreError) { try ModelStores().store(of: name).remove(name) } catch {
        throw FoveaError(error)
      }
    }
    try CommandFailure.print("removed \(name)\n")
  }
}
