// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaModelRules
import FoveaRuntime
import FoveaTraining

/// `fovea model inspect`: prints tensors, family, labels, metadata and hash of a model.
struct ModelInspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the contents of a model.",
    usage: "fovea model inspect <file|dir> [options]",
    discussion: """
      Example: fovea model inspect coco_ssd.tflite
      Prints tensors, family, labels, metadata, hash, and what is missing to use it.
      """)

  @OptionGroup var model: ModelFileOptions

  @OptionGroup var description: ModelDescriptionOptions

  @Flag(name: .customLong("run"), help: "Run once on a grey image; check values, print time.")
  var runs = false

  @Flag(help: "List only the layers that 'model quantize' can keep float.")
  var layers = false

  @Option(help: ArgumentHelp("Maximum address space of the process.", valueName: "bytes"))
  var limitMemory: Int?

  @Option(help: ArgumentHelp("Maximum processor time of the process.", valueName: "s"))
  var limitSeconds: Int?

  @Flag(help: ArgumentHelp("Sandbox the process before it reads the file.", visibility: .hidden))
  var sealed = false

  @Flag(help: "Print one line of JSON.")
  var json = false

  func validate() throws {
    if let limitMemory, limitMemory < 1 { throw ValidationError("--limit-memory must be 1 byte or more.") }
    if let limitSeconds, limitSeconds < 1 {
      throw ValidationError("--limit-seconds must be 1 second or more.")
    }
  }

  func run() async throws {
    ProcessSignals.ignorePipes()
    limitMemory.map(ProcessLimits.limitMemory)
    limitSeconds.map(ProcessLimits.limitProcessorTime)
    let source = try CommandFailure.exit { () throws(FoveaError) -> ModelSource in
      sealed ? try SealedModel.source(model.path) : try ModelLookup.source(model.path)
    }
    if layers {
      let found = try CommandFailure.exit { () throws(FoveaError) in try ModelLayers(source) }
      return try CommandFailure.print(json ? found.json : found.text)
    }
    // The report is valid even if the model does not run.
    var failure: FoveaError?
    let report = Result { () throws(FoveaError) -> ModelReport in
      try ModelReport(source, options: description.options(labelFile: model.labels), words: \.commandLine) {
        model in
        guard runs else { return .notAsked }
        do throws(FoveaError) {
          return try ModelTestRun.run(model).map(ModelReport.TestRun.done) ?? .impossible
        } catch {
          failure = error
          return .failed(error.message)
        }
      }
    }
    switch report {
    case .success(let report):
      if failure == nil || !sealed { try print(report) }
      if let failure { throw refusal(failure) }
    case .failure(let error):
      // The outline helps people to identify the file; programs that use `--sealed` need only the error.
      if !sealed, let outline = ModelReport(outlineOf: source, error: error, words: \.commandLine) {
        try print(outline)
        // It has the reason, as for other models that Fovea cannot use.
        if !runs, error.code == FoveaCode(RuntimeCode.modelUnsupported) { return }
      }
      throw refusal(error)
    }
  }

  /// Reports an error; a host's callers, who read it after `--sealed`, cannot give options for models.
  private func refusal(_ error: FoveaError) -> ExitCode {
    var error = error
    if sealed { error.remedy = CropAdvice.published(error.remedy) }
    return CommandFailure.report(error)
  }

  private func print(_ report: ModelReport) throws(ExitCode) {
    try CommandFailure.print(json ? report.json + "\n" : report.text)
  }
}
