// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTraining

/// Which images are learned from, and whose boxes get names.
struct ObjectSetOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("The folder of the images that the file names.", valueName: "dir"))
  var images: String

  @Option(
    help: ArgumentHelp(
      "Whose boxes get names: a .tflite file, folder or name (default: the embedded localizer).",
      valueName: "name"))
  var detector: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The most boxes of an image, as in detect.", valueName: "n"))
  var maxObjects = 20

  @Option(
    help: ArgumentHelp("A COCO instances file of images that are never learned from.", valueName: "json"))
  var test: String?

  @Option(help: ArgumentHelp("The folder of its images (default: that of --images).", valueName: "dir"))
  var testImages: String?

  @Flag(help: ArgumentHelp("An image that cannot be opened ends the training.", visibility: .hidden))
  var strict = false

  func validate() throws {
    if images.isEmpty { throw ValidationError("--images needs the name of a folder.") }
    if detector?.isEmpty == true { throw ValidationError("--detector needs the name of a model or file.") }
    if test?.isEmpty == true { throw ValidationError("--test needs the name of a COCO instances file.") }
    if testImages?.isEmpty == true { throw ValidationError("--test-images needs the name of a folder.") }
    if testImages != nil, test == nil {
      throw ValidationError("--test-images is the folder of --test's images; give both.")
    }
    try ModelOptions.checkCount(maxObjects, name: "max-objects")
  }

  /// The images of a file, and those of `--test`.
  func sets(_ instances: String) throws(FoveaError) -> (set: ObjectSet, test: ObjectSet?) {
    let set = try ObjectSet(instances: instances, images: images)
    return (
      set,
      try test.map { test throws(FoveaError) in try ObjectSet(instances: test, images: testImages ?? images) }
    )
  }

  /// Writes what was asked into the options of a trainer.
  func apply(to options: inout ObjectTrainer.Options) throws(FoveaError) {
    options.maxObjects = maxObjects
    options.classifier.isStrict = strict
    guard let detector else { return }
    options.detector = try ModelLookup.source(detector)
    options.detectorName = detector.split(separator: "/").last.map { String($0) }
  }
}
