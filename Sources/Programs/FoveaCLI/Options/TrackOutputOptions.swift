// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore
import FoveaFormats

/// Where tracks go and what is reported with them.
struct TrackOutputOptions: ParsableArguments, Sendable {
  @Option(help: "How to print results; text by default.")
  var format: TrackFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to a file, whose ending can be the format.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Draw boxes, ids and trails into a new video.", valueName: "video"))
  var annotate: String?

  @Flag(help: "Report boxes in the rotated, upright frame.")
  var upright = false

  @Flag(name: .shortAndLong, help: "No progress, notes or summary.")
  var quiet = false

  /// Endings that promise something else than text.
  private static let otherEndings: Set<String> = [
    "json", "mp4", "m4v", "mov", "mkv", "webm", "avi", "jpg", "jpeg", "png", "html", "xml",
  ]

  /// The format that was asked for, else that of the output file's ending, else text.
  var chosenFormat: TrackFormat { format ?? output.flatMap(TrackFormat.init(endingOf:)) ?? .text }

  func validate() throws {
    for (name, value) in [("output", output), ("annotate", annotate)] where value?.isEmpty == true {
      throw ValidationError("--\(name) needs the name of a file.")
    }
    try OutputEnding.refuseCompressed(output)
    if let annotate, annotate == output {
      throw ValidationError("--annotate and --output name the same file.")
    }
    if format == nil, let output, let ending = FilePath(output).ending, Self.otherEndings.contains(ending) {
      throw ValidationError(
        "--output writes .jsonl, .csv or .txt (MOT), not .\(ending); or say what it is with --format.")
    }
  }

  /// What turns frames into text.
  func writer(outputDescriptor: Int32) -> any FrameWriter {
    chosenFormat.writer(isColored: output == nil && Terminal.wantsColor(outputDescriptor))
  }
}
