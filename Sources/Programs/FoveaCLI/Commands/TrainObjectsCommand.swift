// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTraining

/// `fovea train objects`: trains a classifier for a detector's boxes.
struct TrainObjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "objects",
    abstract: "Train a classifier for a detector's boxes.",
    usage: "fovea train objects <json|csv> --images <dir> --output <dir> [options]",
    discussion: """
      Example: fovea train objects instances.json --images photos/ --output parts
      Learns labels for a detector's boxes from a box and a label for each object:
      a COCO instances file, or an AutoML CSV file with a line
      TRAIN,path,label,x_min,y_min,,,x_max,y_max,, for each box, in fractions. Use
      the model with 'fovea detect --relabel'. --help-hidden lists all options.
      """)

  @Argument(help: ArgumentHelp("A COCO instances file, or an AutoML CSV file.", valueName: "json|csv"))
  var instances: String

  @OptionGroup var set: ObjectSetOptions
  @OptionGroup var head: HeadOptions
  @OptionGroup var output: TrainingOutputOptions

  func validate() throws {
    if instances.isEmpty { throw ValidationError("Name a COCO instances file, or a CSV file.") }
    try set.check(instances)
    if head.multiLabel { throw ValidationError("--multi-label is for photos; a box has one label.") }
  }

  func run() async throws {
    let code = await ObjectTrainingRun(set: set, head: head, output: output, instances: instances).execute()
    if code != 0 { throw ExitCode(code) }
  }
}
