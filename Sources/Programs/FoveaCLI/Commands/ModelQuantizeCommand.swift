// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// `fovea model quantize`: makes an int8 model of a float model.
struct ModelQuantizeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quantize",
    abstract: "Make a float model smaller and faster with your photos.",
    usage: "fovea model quantize <file> --photos <path> --output <file> [options]",
    discussion: """
      Example: fovea model quantize m.tflite --photos street/ --output m_int8.tflite
      Writes an int8 model if it agrees with the float one on the photos, and what it
      cost; otherwise writes nothing, names the layers to blame, and exits with 1.
      """)

  @OptionGroup var model: ModelFileOptions
  @OptionGroup var quantization: QuantizationOptions
  @OptionGroup var description: ModelDescriptionOptions

  @Flag(name: .shortAndLong, help: "Print no progress and no notes.")
  var quiet = false

  @Flag(help: "Print one line of JSON.")
  var json = false

  func validate() throws {
    if model.labels?.isEmpty == true { throw ValidationError("--labels needs the name of a file.") }
  }

  /// The run of these arguments.
  var prepared: QuantizationRun {
    var options = description.options(labelFile: model.labels)
    options.threads = quantization.threads
    options.imageLimits = quantization.photos.pixels.limits
    return QuantizationRun(
      path: model.path, model: options, options: quantization, isQuiet: quiet, isJSON: json)
  }

  func run() async throws {
    let code = await prepared.execute()
    if code != 0 { throw ExitCode(code) }
  }
}
