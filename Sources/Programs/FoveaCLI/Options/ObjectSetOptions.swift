// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaFormats
import FoveaTraining

/// The training images, and the detector whose boxes get labels.
struct ObjectSetOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Folder of the images (default for a CSV: the folder that holds it).", valueName: "dir"))
  var images: String?

  @Option(
    help: ArgumentHelp(
      "Detector whose boxes get labels: a .tflite file, folder or name (default: the embedded localizer).",
      valueName: "name"))
  var detector: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Maximum number of boxes per image, as for detect.", valueName: "n"))
  var maxObjects = 20

  @Option(
    help: ArgumentHelp("File of images used only for testing, never for training.", valueName: "json|csv"))
  var test: String?

  @Option(help: ArgumentHelp("Folder of the images of --test (default: that of --images).", valueName: "dir"))
  var testImages: String?

  @Option(
    help: ArgumentHelp(
      "Read CSV paths with this prefix from a folder, such as gs://bucket/=photos/.", valueName: "x=folder",
      visibility: .hidden))
  var pathPrefix: [PathPrefixArgument] = []

  @OptionGroup var exclusion: ExclusionOptions

  @Flag(help: ArgumentHelp("Fail if an image cannot be opened.", visibility: .hidden))
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

  /// Refuses a COCO file without a folder for its images.
  func check(_ file: String) throws {
    guard images == nil, FileStatus(FilePath(file))?.kind != .folder else { return }
    if !ObjectSetOptions.isCSV(file) {
      throw ValidationError("A COCO file needs --images, the folder of its images.")
    }
    if let test, testImages == nil, !ObjectSetOptions.isCSV(test) {
      throw ValidationError("A COCO file for --test needs --test-images, the folder of its images.")
    }
  }

  /// Returns the images of a file without the excluded ones, and those of `--test`.
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

  /// Returns the default folder of the images of results: the file's folder, or `images` in a YOLO folder.
  private static func folder(of file: String) -> String {
    guard FileStatus(FilePath(file))?.kind != .folder else { return FilePath.joined(file, "images") }
    let parent = FilePath(file).parent
    return parent.isEmpty ? "." : parent
  }

  private static func isCSV(_ file: String) -> Bool { file.lowercased().hasSuffix(".csv") }

  /// Applies these options to those of a trainer.
  func apply(to options: inout ObjectTrainer.Options) throws(FoveaError) {
    options.maxObjects = maxObjects
    options.classifier.isStrict = strict
    guard let detector else { return }
    options.detector = try ModelLookup.source(detector)
    options.detectorName = detector.split(separator: "/").last.map { String($0) }
  }
}
