// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// The segmentation model and facts that it does not declare.
struct SegmenterOptions: ParsableArguments, Sendable {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A segmentation model: .tflite, .task or name.", valueName: "file"))
  var model: String

  @OptionGroup var reading: SegmenterReadingOptions

  func validate() throws {
    if model.isEmpty { throw ValidationError("--model needs the name of a file.") }
  }
}

/// Facts that a segmentation model does not declare.
struct SegmenterReadingOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("Label file: lines, pbtxt, CSV, JSON or YAML.", valueName: "file"))
  var labels: String?

  @Option(help: ArgumentHelp("Language of the labels, such as \"en\".", valueName: "name"))
  var locale: String?

  @Option(
    help: ArgumentHelp(
      "The model's family: \(MapFamily.all.map(\.name).joined(separator: ", ")).", valueName: "name"),
    transform: ChoiceArgument.mapFamily)
  var family: MapFamily?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std", visibility: .hidden),
    transform: ChoiceArgument.normalization)
  var normalize: Normalization?

  @Flag(help: ArgumentHelp("Run a uint8 model as stored, not converted to int8.", visibility: .hidden))
  var exact = false

  func validate() throws {
    if labels?.isEmpty == true { throw ValidationError("--labels needs the name of a file.") }
  }

  /// The name of the first given option that only a model has; nil if there is none.
  var firstGivenForModel: String? {
    locale != nil
      ? "locale" : family != nil ? "family" : normalize != nil ? "normalize" : exact ? "exact" : nil
  }

  /// Applies these options to those of a segmenter.
  func apply(to options: inout ImageSegmenter.Options) {
    options.labelFile = labels
    options.locale = locale
    options.family = family
    options.normalization = normalize
    options.exactArithmetic = exact
  }
}
