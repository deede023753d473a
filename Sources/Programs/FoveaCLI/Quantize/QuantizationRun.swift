// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaTraining

/// One run of `fovea model quantize`, from arguments to exit code.
struct QuantizationRun: Sendable {
  /// The model's file, folder or name.
  let path: String
  /// The description of the model, with its label file.
  let model: ObjectDetector.Options
  let options: QuantizationOptions
  let isQuiet: Bool
  let isJSON: Bool
  var stop = StopSignal(listensToProcess: true)

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func execute() async -> Int32 {
    ProcessSignals.install()
    let display = QuantizationDisplay(isQuiet: isQuiet)
    let outcome: (text: String, isWhole: Bool)
    do throws(FoveaError) {
      let source = try ModelLookup.source(path)
      try checkOutput(try ModelLookup.path(path))
      outcome = try await work(source, display)
    } catch {
      display.end()
      guard !stop.isRequested else {
        display.error("interrupted; nothing was written")
        return ExitCodes.interrupted
      }
      display.error(RecordSink.line(error))
      return Self.exitCode(error)
    }
    display.end()
    do { try CommandFailure.print(outcome.text) } catch { return error.rawValue }
    return outcome.isWhole ? 0 : ExitCodes.failure
  }

  private static func exitCode(_ error: FoveaError) -> Int32 {
    if CommandFailure.isUsage(error) { return ExitCode.validationFailure.rawValue }
    return [.agreementTooLow, .calibrationEmpty].contains(error.code)
      ? ExitCodes.failure : ExitCodes.unfinished
  }

  private func checkOutput(_ input: String) throws(FoveaError) {
    let files = [model.labelFile, options.groundTruth].compactMap(\.self)
    try OutputGuard.check(options.output, against: [input] + files + options.photos.photos)
    try OutputGuard.check(place: options.output)
    // Opening a pipe without a reader would wait for one, after all the work.
    let status = FileStatus(FilePath(options.output))
    if status?.kind == .other, StandardDescriptors.output(at: options.output) == nil {
      throw FoveaError(
        .outputUnwritable, "'\(options.output.printable)' is a pipe or a device, expected a regular file",
        remedy: "Name another file with --output")
    }
    guard !options.force, ModelFileOutput.isFile(options.output) else { return }
    throw FoveaError(
      .outputUnwritable, "'\(options.output.printable)' exists",
      remedy: "Name another file, or replace it with --force")
  }

  /// Makes and writes the model; returns the text to print, and whether all photos could be read.
  private func work(
    _ source: ModelSource, _ display: QuantizationDisplay
  ) async throws(FoveaError) -> (String, Bool) {
    if let weights = options.weights { return (try store(source, weights), true) }
    let (images, missing) = try options.photos.listed(stop)
    for failed in missing { display.error(RecordSink.line(failed.name, failed.error)) }
    let photos = images.map { options.photos.photo($0, stop) }
    let quantizer = try Quantizer(source, photos: photos, options: rules)
    let name = options.output
    let made = try await stop.cancelling { () throws(FoveaError) in
      try await quantizer.run(outputName: name) { display.show($0) }
    }
    display.end()
    for note in made.assumptions.map(\.commandLine) + made.notes { display.note(note) }
    for failure in made.failed { display.error(RecordSink.line(failure.name, failure.error)) }
    try ModelFileOutput.write(made.bytes, to: options.output, stop: stop)
    let report = QuantizationReport(made: made, input: path, output: options.output, model: model)
    let isWhole = missing.isEmpty && made.failed.isEmpty
    if isJSON { return (report.json, isWhole) }
    guard ModelFileOutput.isFile(options.output) else { return ("", isWhole) }
    return (report.text, isWhole)
  }

  private var rules: Quantizer.Options {
    var rules = Quantizer.Options()
    rules.model = model
    rules.leastAgreement = options.atLeast
    rules.keptLayers = options.keepFloat.map(\.text)
    rules.mostFloatLayers = options.floatLayers
    rules.groundTruth = options.groundTruth
    return rules
  }

  /// Writes the model with smaller weights; returns the text to print.
  private func store(_ source: ModelSource, _ form: SmallerWeights.Form) throws(FoveaError) -> String {
    let model = try SmallerWeights(source, as: form)
    try ModelFileOutput.write(model.bytes, to: options.output, stop: stop)
    if isJSON { return model.json }
    guard ModelFileOutput.isFile(options.output) else { return "" }
    return model.text(output: options.output)
  }
}
