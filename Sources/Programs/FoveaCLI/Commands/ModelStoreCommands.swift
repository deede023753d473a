// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaModels

/// `fovea model list`: the models that can be had by name, and those that are there.
struct ModelListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the models to download by name: fovea model list",
    discussion:
      "What is embedded, can be pulled and is installed, a model host's models\nincluded. Nothing is downloaded."
  )

  @Flag(help: "Print one line of JSON.")
  var json = false

  func run() async throws {
    ProcessSignals.ignorePipes()
    let inventory = try CommandFailure.exit { () throws(FoveaError) in
      do throws(ModelStoreError) { return try ModelInventory(.user(), hosted: .user(host: nil)) } catch {
        throw FoveaError(error)
      }
    }
    try CommandFailure.print(json ? inventory.json + "\n" : inventory.text)
  }
}

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
