// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaDecoding
import FoveaMetadata

/// The position of the background among an anchor's scores.
enum BackgroundArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
  case first, none
}

/// The options of a detector, for photos and for video.
struct DetectorOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("A classifier that labels each object's crop.", valueName: "file"))
  var classifier: String?

  @Flag(help: ArgumentHelp("Do not label crops with a classifier.", visibility: .hidden))
  var noClassify = false

  @Option(help: ArgumentHelp("A model for the points of bodies, faces or hands.", valueName: "file"))
  var landmarks: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Minimum probability of a body, face or hand in a crop. (default: 0.5)", valueName: "s",
      visibility: .hidden))
  var landmarkThreshold: Float?

  @Flag(help: "Report only the most prominent object.")
  var single = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Maximum number of objects (default: the model's).", valueName: "n"))
  var maxObjects: Int?

  @Flag(help: "Also detect in overlapping tiles, for small objects.")
  var slice = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longer side of a tile in pixels (default: the model's input); implies --slice.", valueName: "n",
      visibility: .hidden))
  var sliceSize: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fraction of a tile shared with its neighbour, 0 to 0.75 (default: 0.25); implies --slice.",
      valueName: "part", visibility: .hidden))
  var sliceOverlap: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum number of labels per object. (default: 10)", valueName: "n", visibility: .hidden))
  var maxLabels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Minimum confidence of a classifier's label.", valueName: "s", visibility: .hidden))
  var labelThreshold: Float?

  @Option(
    help: ArgumentHelp(
      "The detector's family, if the model does not name it.", valueName: "name",
      visibility: .hidden),
    transform: ChoiceArgument.family)
  var family: DetectorFamily?

  @Option(
    help: ArgumentHelp(
      "Activation for raw scores of the detector, or else of the classifier: none, sigmoid or softmax.",
      valueName: "name", visibility: .hidden), transform: ChoiceArgument.value)
  var activation: ScoreActivation?

  @Option(
    help: ArgumentHelp(
      "Position of the background among the raw scores, if the detector does not declare it: first or none.",
      valueName: "which", visibility: .hidden), transform: ChoiceArgument.value)
  var background: BackgroundArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum IoU of two boxes that are both kept, 0 to 1 (default: the family's).", valueName: "iou",
      visibility: .hidden))
  var iou: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum IoU of two boxes of different classes that are both kept (default: 0.8; 1: any).",
      valueName: "iou", visibility: .hidden))
  var crossClassIou: Double?

  @Option(
    help: ArgumentHelp(
      "How to fit an image into the detector's input: stretch or letterbox (default: the family's).",
      valueName: "how", visibility: .hidden), transform: ChoiceArgument.value)
  var fit: ImageFit?

  @Flag(
    help: ArgumentHelp(
      "Suppress overlapping boxes of different classes too.", visibility: .hidden))
  var classAgnostic = false

  func validate() throws {
    if classifier != nil && noClassify {
      throw ValidationError("--classifier and --no-classify exclude each other.")
    }
    for (name, isGiven) in [("label-threshold", labelThreshold != nil), ("max-labels", maxLabels != nil)]
    where isGiven && noClassify {
      throw ValidationError("--\(name) is for the labels of crops, which --no-classify turns off.")
    }
    for (name, file) in [("classifier", classifier), ("landmarks", landmarks)] where file?.isEmpty == true {
      throw ValidationError("--\(name) needs the name of a file.")
    }
    var options = ObjectDetector.Options()
    apply(to: &options)
    try ModelOptions.check(options.check)
  }

  /// The tiling, if any option asks for it.
  var slicing: Slicing? {
    guard slice || sliceSize != nil || sliceOverlap != nil else { return nil }
    var slicing = Slicing()
    slicing.tileSize = sliceSize
    if let sliceOverlap { slicing.overlap = sliceOverlap }
    return slicing
  }

  /// Applies these options to the library's options.
  func apply(to options: inout ObjectDetector.Options) {
    options.maxObjects = maxObjects
    options.slicing = slicing
    options.singleObject = single
    if let classifier { options.classifier = .model(.file(classifier)) }
    if noClassify { options.classifier = .none }
    options.landmarks = landmarks.map { .file($0) }
    options.landmarkThreshold = landmarkThreshold
    options.labelThreshold = labelThreshold
    if let count = maxLabels {
      options.maxLabels = count
      options.needsMaxLabels = true
    }
    options.family = family
    options.scoreActivation = activation
    options.hasBackgroundClass = background.map { $0 == .first }
    options.suppression.iouThreshold = iou
    options.suppression.isClassAgnostic = classAgnostic
    options.suppression.crossClassIoU = crossClassIou
    options.fit = fit
  }
}
