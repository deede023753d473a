// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore

/// The model and facts that it does not declare, for detectors and classifiers.
struct ModelOptions: ParsableArguments, Sendable {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A .tflite file, folder or name (default: built in).", valueName: "file"))
  var model: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Minimum score (default: the model's; for track 0.5).", valueName: "s"))
  var threshold: Float?

  @Option(help: ArgumentHelp("Label file: lines, pbtxt, CSV, JSON or YAML.", valueName: "file"))
  var labels: String?

  @Option(help: ArgumentHelp("Report only these labels.", valueName: "label,…"))
  var allow: [LabelList] = []

  @Option(help: ArgumentHelp("Never report these labels.", valueName: "label,…"))
  var deny: [LabelList] = []

  @Option(help: ArgumentHelp("Language of the labels, such as \"en\".", valueName: "name"))
  var locale: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std", visibility: .hidden),
    transform: ChoiceArgument.normalization)
  var normalize: Normalization?

  @Flag(help: ArgumentHelp("Run a uint8 model as stored, not converted to int8.", visibility: .hidden))
  var exact = false

  func validate() throws {
    try ModelOptions.checkScore(threshold)
    if model?.isEmpty == true { throw ValidationError("--model needs the name of a file.") }
    if labels?.isEmpty == true { throw ValidationError("--labels needs the name of a file.") }
  }

  /// Applies these options to those of a detector.
  func apply(to options: inout ObjectDetector.Options) {
    options.threshold = threshold
    options.allowedLabels = allow.map(\.text)
    options.deniedLabels = deny.map(\.text)
    options.labelFile = labels
    options.locale = locale
    options.normalization = normalize
    options.exactArithmetic = exact
  }

  /// Reports a value that the library refuses as a usage error, before any work starts.
  static func check(_ check: () throws(FoveaError) -> Void) throws {
    do throws(FoveaError) { try check() } catch {
      guard let problem = error.option else { throw error }
      let bounds = problem.expected.split(separator: "…")
      let expected = bounds.count == 2 ? "between \(bounds[0]) and \(bounds[1])" : problem.expected
      throw ValidationError("--\(problem.name) must be \(expected), got \(problem.value).")
    }
  }

  static func checkScore(_ threshold: Float?) throws {
    var selection = ObjectDetector.Selection()
    selection.threshold = threshold
    try check(selection.check)
  }

  /// Checks a count that only this program knows.
  static func checkCount(_ count: Int?, name: String) throws {
    if let count, count < 1 { throw ValidationError("--\(name) must be 1 or more, got \(count).") }
  }
}

/// A label, or several separated by commas; the model's labels decide whether a comma is part of one.
struct LabelList: ExpressibleByArgument, Sendable, Equatable {
  let text: String

  init?(argument: String) {
    text = argument
    guard !argument.trimmingBlanks.isEmpty else { return nil }
  }
}

extension [LabelList] {
  /// The labels, or nil if the list is empty; a text with commas is a label, and so are its parts.
  var names: Set<String>? {
    isEmpty ? nil : Set(map(\.text)).union(flatMap { CommaList.parts($0.text) }.filter { !$0.isEmpty })
  }
}
