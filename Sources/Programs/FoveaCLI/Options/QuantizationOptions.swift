// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTraining

/// The photos and the rules of a quantisation.
struct QuantizationOptions: ParsableArguments, Sendable {
  @OptionGroup var photos: PhotoListOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("The new model file.", valueName: "file"))
  var output: String

  @Flag(help: "Replace an existing file.")
  var force = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Least agreement with the float model, 0 to 1.", valueName: "x"))
  var atLeast = 0.9

  @Option(
    help: ArgumentHelp("Layers that stay float, by the name of their output.", valueName: "name,…"))
  var keepFloat: [LabelList] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The most layers that may stay float.", valueName: "n"))
  var floatLayers = 20

  @Option(
    help: ArgumentHelp(
      "Without photos: only store the weights as int8 or float16.", valueName: "type"),
    transform: ChoiceArgument.value)
  var weights: SmallerWeights.Form?

  @Option(
    help: ArgumentHelp("COCO instances of some photos; classes of a classifier.", valueName: "path"))
  var groundTruth: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Threads per photo.", valueName: "n"))
  var threads: Int?

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output needs the name of a file.") }
    if output == "-" {
      throw ValidationError("--output - is not standard output here; give /dev/stdout, or ./- for a file.")
    }
    if groundTruth?.isEmpty == true { throw ValidationError("--ground-truth needs the name of a file.") }
    guard (0...1).contains(atLeast) else {
      throw ValidationError("--at-least must be between 0 and 1, got \(atLeast).")
    }
    guard (0...10_000).contains(floatLayers) else {
      throw ValidationError("--float-layers must be between 0 and 10000, got \(floatLayers).")
    }
    if weights != nil, !photos.photos.isEmpty || groundTruth != nil {
      throw ValidationError(
        "--weights needs neither photos nor ground truth: it changes only how weights are stored.")
    }
    if weights != nil, !keepFloat.isEmpty || atLeast != 0.9 || floatLayers != 20 {
      throw ValidationError(
        "--weights keeps all layers float: leave out --at-least, --float-layers and --keep-float.")
    }
    if weights == nil { try photos.checkGiven() }
    var options = ObjectDetector.Options()
    options.threads = threads
    try ModelOptions.check(options.check)
  }
}
