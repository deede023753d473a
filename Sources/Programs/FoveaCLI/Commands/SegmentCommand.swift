// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaFormats

/// `fovea segment`: finds the class of each part of photos.
struct SegmentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segment",
    abstract: "Find the class of each part of photos.",
    usage: "fovea segment <path>… --model <file> [options]",
    discussion: """
      Example: fovea segment street.jpg --model deeplabv3.tflite --annotate out/
      --help-hidden lists all options.
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var segmenter: SegmenterOptions

  @Option(help: "Output format; text by default.")
  var format: MapFormat?

  @OptionGroup var masks: MaskOptions
  @OptionGroup var output: MapOutputOptions

  func validate() throws {
    if let named = format?.format, !MapFormat.formats.contains(named) {
      throw ValidationError(
        "The format \(named.name) is not for maps; use \(MapFormat.allValueStrings.joined(separator: ", ")).")
    }
    if let annotate = output.annotate, case .file = AnnotationPlan.target(of: annotate),
      InputExpander.isBatch(input.paths)
    {
      throw ValidationError("--annotate names one file, but there are several photos; name a folder.")
    }
  }

  func run() async throws {
    let source = try CommandFailure.exit(ExitCodes.unfinished) { () throws(FoveaError) in
      try ModelLookup.source(segmenter.model)
    }
    var checksum: String?
    // A model that cannot be read ends the run with the error of its opening.
    if output.output != nil { checksum = try? await source.checksum() }
    var run = PhotoRun(
      input, model: segmenter.model, output.values, format?.format ?? .text, kind: .maps,
      resources: [source.path, segmenter.reading.labels])
    run.masks = masks.chosen
    run.maps = output.output
    run.mapSource = checksum.map { "sha256:\($0)" }
    run.work.isUpright = output.upright ?? (output.output != nil)
    if let annotate = output.annotate {
      run.work.annotation = AnnotationPlan(
        target: AnnotationPlan.target(of: annotate), annotator: OverlayAnnotator())
    }
    let options = segmenterOptions
    let code = await run.execute { () async throws(FoveaError) -> any ImageAnalyzer in
      SegmenterAnalyzer(
        segmenter: try await ImageSegmenter(model: source, options: options), region: input.roi?.box)
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// The library's options for these arguments.
  var segmenterOptions: ImageSegmenter.Options {
    var shared = ObjectDetector.Options()
    input.apply(to: &shared)
    var options = ImageSegmenter.Options(shared)
    segmenter.reading.apply(to: &options)
    return options
  }
}
