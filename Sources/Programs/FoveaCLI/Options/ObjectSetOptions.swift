// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaFormats
import FoveaTraining

/// Which images are learned from, and whose boxes get names.
struct ObjectSetOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The folder of the images that the file names (default for a CSV: where it is).", valueName: "dir"))
  var images: String?

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
    help: ArgumentHelp("A file of images that are judged and never learned from.", valueName: "json|csv"))
  var test: String?

  @Option(help: ArgumentHelp("The folder of its images (default: that of --images).", valueName: "dir"))
  var testImages: String?

  @Option(
    help: ArgumentHelp(
      "Read paths of a CSV that begin so from a folder, as gs://bucket/=photos/.", valueName: "x=folder",
      visibility: .hidden))
  var pathPrefix: [PathPrefixArgument] = []

  @OptionGroup var exclusion: ExclusionOptions

  @Flag(help: ArgumentHelp("An image that cannot be opened ends the training.", visibility: .hidden))
  var strict = false

  func validate() throws {
    if images?.isEmpty == true { throw ValidationError("--images needs the name of a folder.") }
    if detector?.isEmpty == true { throw ValidationError("--detector needs the name of a model or file.") }
    if test?.isEmpty == true { throw ValidationError("--test needs the name of a file with boxes.") }
    if testImages?.isEmpty == true { throw ValidationError("--test-images needs the name of a folder.") }
    if testImages != nil, test == nil {
      throw ValidationError("--test-images is the folder of --test's images; give both.")
    }
    var selection = ObjectDetector.Selection()
    selection.maxObjects = maxObjects
    try ModelOptions.check(selection.check)
  }

  /// Refuses a COCO file whose images are nowhere.
  func check(_ file: String) throws {
    guard images == nil, FileStatus(FilePath(file))?.kind != .folder else { return }
    if !ObjectSetOptions.isCSV(file) {
      throw ValidationError("Name the folder of the images of a COCO file with --images.")
    }
    if let test, testImages == nil, !ObjectSetOptions.isCSV(test) {
      throw ValidationError("Name the folder of the images of --test with --test-images.")
    }
  }

  /// The images of a file, without those that are left out, and those of `--test`.
  func sets(_ file: String) throws(FoveaError) -> (set: ObjectSet, test: ObjectSet?) {
    let left: Set<String>
    do throws(TrainingError) { left = try exclusion.names() } catch { throw FoveaError(error) }
    let set = try read(file, images).without(left)
    return (set, try test.map { test throws(FoveaError) in try read(test, testImages ?? images) })
  }

  private func read(_ file: String, _ images: String?) throws(FoveaError) -> ObjectSet {
    let isRecords: Bool
    do throws(EvaluationError) { isRecords = try ResultKind.isRecords(file) } catch {
      throw FoveaError(error)
    }
    if isRecords { return try ObjectSet(results: file, images: images ?? ObjectSetOptions.folder(of: file)) }
    guard let images, !ObjectSetOptions.isCSV(file) else {
      return try ObjectSet(csv: file, images: images, prefixes: PathPrefixArgument.folders(pathPrefix))
    }
    return try ObjectSet(instances: file, images: images)
  }

  /// Where the images of results are, where no folder is named: next to a file, and in `images` of a folder of YOLO.
  private static func folder(of file: String) -> String {
    guard FileStatus(FilePath(file))?.kind != .folder else { return FilePath.joined(file, "images") }
    let parent = FilePath(file).parent
    return parent.isEmpty ? "." : parent
  }

  private static func isCSV(_ file: String) -> Bool { file.lowercased().hasSuffix(".csv") }

  /// Writes what was asked into the options of a trainer.
  func apply(to options: inout ObjectTrainer.Options) throws(FoveaError) {
    options.maxObjects = maxObjects
    options.classifier.isStrict = strict
    guard let detector else { return }
    options.detector = try ModelLookup.source(detector)
    options.detectorName = detector.split(separator: "/").last.map { String($0) }
  }
}
