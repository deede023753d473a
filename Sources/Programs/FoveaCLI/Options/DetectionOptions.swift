// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options of `detect` for its results besides the objects themselves.
struct DetectionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "A classifier whose labels replace the detector's.", valueName: "file"))
  var relabel: String?

  @Option(help: ArgumentHelp("Write annotated copies of the photos here.", valueName: "dir|file"))
  var annotate: String?

  @Flag(inversion: .prefixedNo, help: "Report boxes relative to the EXIF-rotated photo.")
  var upright: Bool?

  @Option(
    help: ArgumentHelp(
      "With --format coco: use the ids of this file.", valueName: "json", visibility: .hidden))
  var cocoIds: String?

  @Flag(help: ArgumentHelp("With --format yolo: append the score to each line.", visibility: .hidden))
  var yoloScores = false

  func validate() throws {
    try AnnotationPlan.check(annotate)
    if relabel?.isEmpty == true { throw ValidationError("--relabel needs the name of a file.") }
  }
}
