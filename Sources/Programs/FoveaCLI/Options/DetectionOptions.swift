// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What `detect` reports of each photo besides the objects themselves.
struct DetectionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "A classifier whose labels replace the detector's.", valueName: "file"))
  var relabel: String?

  @Option(help: ArgumentHelp("Draw boxes and labels into new images there.", valueName: "dir|file"))
  var annotate: String?

  @Flag(inversion: .prefixedNo, help: "Report boxes in the EXIF-rotated photo.")
  var upright: Bool?

  @Option(help: ArgumentHelp("For --format coco: results with the ids of this file.", valueName: "json"))
  var cocoIds: String?

  func validate() throws {
    if let annotate, let ending = AnnotationPlan.unwritableEnding(of: annotate) {
      throw ValidationError(
        "--annotate writes .jpg, .png and .webp, not .\(ending); for a folder of this name, end it with '/'.")
    }
    if relabel?.isEmpty == true { throw ValidationError("--relabel needs the name of a file.") }
    if annotate?.isEmpty == true { throw ValidationError("--annotate needs the name of a folder or file.") }
  }
}
