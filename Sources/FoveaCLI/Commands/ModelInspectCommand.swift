// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// `fovea model inspect`: tensors, family, labels, metadata, hash.
struct ModelInspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a model is: fovea model inspect coco_ssd.tflite",
    discussion: "Tensors, family, labels, metadata, hash, and what is missing to use it.")

  @Argument(help: ArgumentHelp("A .tflite file, AutoML folder or name.", valueName: "file|dir"))
  var path: String

  @Flag(help: "Print one line of JSON.")
  var json = false

  func run() async throws {
    ProcessSignals.ignorePipes()
    let report = try CommandFailure.exit { () throws(FoveaError) in
      try ModelInspector.report(ModelLookup.path(path))
    }
    try CommandFailure.print(json ? report.json + "\n" : report.text)
  }
}
