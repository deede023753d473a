// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaModelRules

/// `fovea model inspect`: tensors, family, labels, metadata, hash.
struct ModelInspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a model is: fovea model inspect coco_ssd.tflite",
    usage: "fovea model inspect <file|dir> [options]",
    discussion: "Tensors, family, labels, metadata, hash, and what is missing to use it.")

  @OptionGroup var model: ModelFileOptions

  @OptionGroup var description: ModelDescriptionOptions

  @Flag(name: .customLong("run"), help: "Run it once on grey; print time and memory.")
  var runs = false

  @Option(help: ArgumentHelp("The most address space for it.", valueName: "bytes"))
  var limitMemory: Int?

  @Option(help: ArgumentHelp("The most processor time for it.", valueName: "s"))
  var limitSeconds: Int?

  @Flag(help: ArgumentHelp("Close the process off before it reads the file.", visibility: .hidden))
  var sealed = false

  @Flag(help: "Print one line of JSON.")
  var json = false

  func validate() throws {
    if let limitMemory, limitMemory < 1 { throw ValidationError("--limit-memory takes 1 byte or more.") }
    if let limitSeconds, limitSeconds < 1 { throw ValidationError("--limit-seconds takes 1 second or more.") }
  }

  func run() async throws {
    ProcessSignals.ignorePipes()
    limitMemory.map(ProcessLimits.limitMemory)
    limitSeconds.map(ProcessLimits.limitProcessorTime)
    let source = try CommandFailure.exit { () throws(FoveaError) -> ModelSource in
      sealed ? try SealedModel.source(model.path) : try ModelLookup.source(model.path)
    }
    // What the model is stays true if it does not run.
    var failure: FoveaError?
    let report = Result { () throws(FoveaError) -> ModelReport in
      try ModelReport(source, options: description.options(labelFile: model.labels), words: \.commandLine) {
        model in
        guard runs else { return .notAsked }
        do throws(FoveaError) {
          return try ModelTrial.run(model).map(ModelReport.Trial.done) ?? .impossible
        } catch {
          failure = error
          return .failed(error.message)
        }
      }
    }
    switch report {
    case .success(let report):
      if failure == nil || !sealed { try print(report) }
      if let failure { throw CommandFailure.report(failure) }
    case .failure(let error):
      // What the file states helps people to find out what it is; a program that asks in a sealed process wants the error.
      if !sealed, let outline = ModelReport(outlineOf: source, error: error, words: \.commandLine) {
        try print(outline)
      }
      throw CommandFailure.report(error)
    }
  }

  private func print(_ report: ModelReport) throws(ExitCode) {
    try CommandFailure.print(json ? report.json + "\n" : report.text)
  }
}
