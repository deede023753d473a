// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTraining

/// `fovea train labels`: trains a classifier on folders of photos.
struct TrainLabelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "labels",
    abstract: "Train a classifier on photos of each class.",
    usage: "fovea train labels <folder|csv> --output <dir> [options]",
    discussion: """
      Example: fovea train labels flowers/ --output flowers-model
      Each folder in <folder> is a class, and its name is the label; a CSV file has
      one line 'path,label' per photo. Writes model.tflite, dict.txt, manifest.json
      and report.html. --help-hidden lists all options.
      """)

  @Argument(
    help: ArgumentHelp("A folder with a folder for each class, or a CSV file.", valueName: "folder|csv"))
  var photos: String

  @OptionGroup var set: TrainingSetOptions
  @OptionGroup var head: HeadOptions
  @OptionGroup var output: TrainingOutputOptions

  func validate() throws {
    if photos.isEmpty { throw ValidationError("Name a folder with a folder of photos for each class.") }
  }

  func run() async throws {
    let code = await TrainingRun(set: set, head: head, output: output, photos: photos).execute()
    if code != 0 { throw ExitCode(code) }
  }
}
