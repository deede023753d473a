// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaFormats
import FoveaImage

/// `fovea detect`: finds objects in photos.
struct DetectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detect",
    abstract: "Find objects in photos.",
    usage: "fovea detect <path>… [options]",
    discussion: """
      Example: fovea detect ~/photos --annotate out/
      --help-hidden lists all options.
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var model: ModelOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup var detection: DetectionOptions

  @Option(help: "Output format; text by default.")
  var format: OutputFormat?

  @OptionGroup var masks: MaskOptions
  @OptionGroup var keypoints: KeypointOptions
  @OptionGroup var output: OutputOptions<OutputFormat>

  /// The requested format, else the format of the output file's ending, else text.
  var chosenFormat: OutputFormat { output.chosen(format) }

  func validate() throws {
    try output.check(requested: format)
    if detection.relabel != nil {
      for (name, isGiven) in [
        ("classifier", detector.classifier != nil), ("no-classify", detector.noClassify),
        ("max-labels", detector.maxLabels != nil),
      ] where isGiven {
        throw ValidationError(
          "--relabel gives each object one label, in place of the detector's; leave --\(name) out.")
      }
    }
    if detection.cocoIds != nil && chosenFormat != .coco {
      throw ValidationError("--coco-ids is for --format coco.")
    }
    if detection.yoloScores && chosenFormat != .yolo {
      throw ValidationError("--yolo-scores is for --format yolo.")
    }
    if let annotate = detection.annotate, case .file = AnnotationPlan.target(of: annotate),
      InputExpander.isBatch(input.paths)
    {
      throw ValidationError("--annotate names one file, but there are several photos; name a folder.")
    }
  }

  func run() async throws {
    let (source, classifier, landmarks) = try CommandFailure.exit(ExitCodes.unfinished) {
      () throws(FoveaError) in
      (
        try ModelLookup.source(model.model),
        try ModelLookup.source(detector.classifier ?? detection.relabel),
        try ModelLookup.source(detector.landmarks)
      )
    }
    var run = PhotoRun(
      input, model: model.model, output.values, chosenFormat, kind: .objects,
      resources: [source?.path, classifier?.path, landmarks?.path, model.labels, detection.cocoIds]
    )
    run.writesScores = detection.yoloScores
    run.masks = masks.chosen
    run.keypointThreshold = keypoints.keypointThreshold
    run.work.isUpright = detection.upright ?? chosenFormat.isFolder
    if let annotate = detection.annotate {
      run.work.annotation = AnnotationPlan(
        target: AnnotationPlan.target(of: annotate),
        annotator: OverlayAnnotator(keypointThreshold: keypoints.threshold))
    }
    if let ids = detection.cocoIds {
      run.cocoIndex = try CommandFailure.exit(ExitCodes.unfinished) { () throws(FoveaError) in
        try COCOIndex(file: ids)
      }
    }
    var options = detectorOptions
    if let classifier {
      options.classifier = detection.relabel == nil ? .model(classifier) : .relabeling(classifier)
    }
    options.landmarks = landmarks
    let code = await run.execute { [options] () async throws(FoveaError) -> any ImageAnalyzer in
      DetectorAnalyzer(
        detector: try await ObjectDetector(model: source, options: options), region: input.roi?.box)
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// The library's options for these arguments.
  var detectorOptions: ObjectDetector.Options {
    var options = ObjectDetector.Options()
    model.apply(to: &options)
    detector.apply(to: &options)
    input.apply(to: &options)
    return options
  }
}
