// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The model that a command reads, with its labels.
struct ModelFileOptions: ParsableArguments, Sendable {
  @Argument(help: ArgumentHelp("A .tflite file, AutoML folder or name.", valueName: "file|dir"))
  var path: String

  @Option(help: ArgumentHelp("A file of labels: lines, pbtxt, CSV, JSON or YAML.", valueName: "file"))
  var labels: String?
}
