// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats

/// The destination and the format of tracks, and what is reported with them.
struct TrackOutputOptions: ParsableArguments, Sendable {
  @Option(help: "Format; default: text.")
  var format: TrackFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to a file; its extension can select the format.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Write a video with boxes, ids and trails.", valueName: "video"))
  var annotate: String?

  @Option(help: ArgumentHelp("Write who came, stayed and went, as JSON lines.", valueName: "file"))
  var events: String?

  @Option(
    help: ArgumentHelp(
      "Moment of second 0 for the times of events, such as 2026-11-26T11:53:52Z.", valueName: "time",
      visibility: .hidden), transform: MomentArgument.read)
  var startTime: MomentArgument?

  @Option(
    help: ArgumentHelp(
      "Blur objects with these labels in all images.", valueName: "label,…", visibility: .hidden))
  var blur: [LabelList] = []

  @Option(
    help: ArgumentHelp(
      "Write the best image of each object here, as ID-LABEL-FRAME.jpg.", valueName: "dir",
      visibility: .hidden))
  var crops: String?

  @Option(
    help: ArgumentHelp(
      "Write the seconds that objects spend at each place, as .json, or on the mean frame as .png.",
      valueName: "file", visibility: .hidden))
  var heatmap: String?

  @Option(
    help: ArgumentHelp("The labels that --heatmap counts.", valueName: "label,…", visibility: .hidden))
  var heatmapOf: [LabelList] = []

  @Flag(help: "Report boxes relative to the rotated, upright frame.")
  var upright = false

  @Flag(name: .shortAndLong, help: "No progress, notes or summary.")
  var quiet = false

  /// Endings of formats other than text.
  private static let otherEndings: Set<String> = [
    "json", "mp4", "m4v", "mov", "mkv", "webm", "avi", "jpg", "jpeg", "png", "html", "xml", "coco",
    "voc", "yolo", "mot",
  ]

  /// The name of an option that needs the images of frames, if one is given.
  var optionOfImages: String? {
    if annotate != nil { return "annotate" }
    if crops != nil { return "crops" }
    return heatmap.map { FilePath($0).ending == "png" } == true ? "heatmap" : nil
  }

  /// The requested format, else the format of the output file's extension, else text.
  var chosenFormat: TrackFormat { format ?? output.flatMap(TrackFormat.init(endingOf:)) ?? .text }

  func validate() throws {
    let files = [("output", output), ("annotate", annotate), ("events", events), ("heatmap", heatmap)]
    for (name, value) in files where value?.isEmpty == true {
      throw ValidationError("--\(name) needs the name of a file.")
    }
    if crops?.isEmpty == true { throw ValidationError("--crops needs the name of a folder.") }
    try OutputEnding.refuseCompressed(output)
    if let annotate, annotate == output {
      throw ValidationError("--annotate and --output name the same file.")
    }
    if let heatmap, !["png", "json"].contains(FilePath(heatmap).ending) {
      throw ValidationError("--heatmap writes .png and .json, not '\(heatmap.printable)'.")
    }
    if !blur.isEmpty, optionOfImages == nil {
      throw ValidationError("--blur needs --annotate, --crops or a --heatmap of .png.")
    }
    if !heatmapOf.isEmpty, heatmap == nil { throw ValidationError("--heatmap-of needs --heatmap.") }
    if startTime != nil, events == nil { throw ValidationError("--start-time needs --events.") }
    if format == nil, let output, let ending = FilePath(output).ending, Self.otherEndings.contains(ending) {
      throw ValidationError(
        "--output writes .jsonl, .csv or .txt (MOT), not .\(ending); or choose a format with --format.")
    }
  }

  /// Throws `option-invalid` for a label of `--blur` or `--heatmap-of` that is not among those of the model;
  /// without names, any label may be meant.
  func checkLabels(among names: [String]) throws(FoveaError) {
    guard !names.isEmpty else { return }
    let known = Set(names)
    for (option, lists) in [("blur", blur), ("heatmap-of", heatmapOf)] {
      let unknown = CommaList.names(lists.map(\.text), among: known).first { !known.contains($0) }
      guard let unknown else { continue }
      throw FoveaError(
        .optionInvalid,
        "'\(String(unknown.prefix(80)).printable)' of --\(option) is not a label of the model",
        remedy: "Write labels exactly as the model does; \(term: .inspect) lists them")
    }
  }

  /// Returns the writer that turns frames into text.
  func writer(masks: MaskForm, outputDescriptor: Int32) -> any FrameWriter {
    var settings = FrameFormat.Settings()
    settings.isColored = output == nil && Terminal.wantsColor(outputDescriptor)
    settings.masks = masks
    return chosenFormat.writer(settings)
  }
}
