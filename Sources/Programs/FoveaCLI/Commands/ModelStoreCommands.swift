// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaModels

/// `fovea model list`: lists the available and the installed models.
struct ModelListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List available and installed models.",
    discussion: """
      Example: fovea model list
      Lists embedded, downloadable and installed models, including a host's models.
      Downloads nothing.
      """)

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
    abstract: "Delete an installed model.",
    discussion: "Example: fovea model remove object-labeler")

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

/// `fovea model rollback`: returns to the previous version of a hosted model.
struct ModelRollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Return to the previous version of a hosted model.",
    discussion: """
      Example: fovea model rollback bird
      The version that you leave is not pulled again; a newer one is. A second
      rollback undoes the first. Downloads nothing.
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
