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
