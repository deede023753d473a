// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaModels

/// `fovea model verify`: verifies that installed models still have the content that was downloaded.
struct ModelVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify installed models.",
    discussion: """
      Example: fovea model verify
      Compares each file with its SHA-256. Downloads nothing.
      """)

  @Argument(help: ArgumentHelp("Installed models (default: all).", valueName: "name"))
  var names: [String] = []

  func run() async throws {
    ProcessSignals.ignorePipes()
    var failed = false
    var rows: [[String]] = []
    do throws(ModelStoreError) {
      let stores = try ModelStores()
      for (name, store) in try stores.all(names) {
        do throws(ModelStoreError) {
          let model = try store.verify(name)
          rows.append([name, "ok", "\(DecimalText.grouped(model.byteCount)) bytes", model.sha256])
        } catch {
          failed = true
          if error.code == .damagedModel { rows.append([name, "damaged"]) }
          _ = CommandFailure.report(FoveaError(error))
        }
      }
    } catch {
      throw CommandFailure.report(FoveaError(error))
    }
    try CommandFailure.print(
      rows.isEmpty && !failed ? "no model is installed\n" : TextTable.text(rows, leftAligned: [0, 1, 3]))
    if failed { throw ExitCode(ExitCodes.failure) }
  }
}
