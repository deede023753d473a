// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaMetadata
import FoveaRender
import FoveaSystem
import FoveaTraining

/// What is written next to a trained model: the report, and the list of photos that are probably labelled wrong.
struct TrainingReport {
  let trained: TrainedLabels
  let output: TrainingOutputOptions
  let photos: String

  private static let thumbnailSide = 160
  private static let maximumThumbnails = 300

  /// The page; nil where none is wanted.
  var page: [UInt8]? {
    guard !output.noReport else { return nil }
    var left = output.noPhotos ? 0 : TrainingReport.maximumThumbnails
    let page = trained.page(
      title: output.name ?? FilePath(photos).lastComponent, settings: settings, command: command
    ) { photo in
      guard left > 0 else { return nil }
      left -= 1
      // A photo that has gone since has no picture in the report; its name is there all the same.
      guard let image = try? EncodedImage(path: photo.path) else { return nil }
      return try? Thumbnail(of: image, longestSide: TrainingReport.thumbnailSide)
    }
    return page.bytes
  }

  /// A line for each photo that is probably labelled wrong, for `--exclude`; nil where there is none.
  var suspects: [UInt8]? {
    let lines = trained.suspectLines
    return lines.isEmpty ? nil : Array(lines.joined().utf8)
  }

  /// The files that belong into the folder of the model.
  var files: [AssociatedFileContents] {
    var files: [AssociatedFileContents] = []
    if output.report == nil, let page {
      files.append(AssociatedFileContents(name: "report.html", contents: page))
    }
    if let suspects { files.append(AssociatedFileContents(name: "suspects.txt", contents: suspects)) }
    return files
  }

  private var settings: [HTMLReport.Fact] {
    trained.settings.map { HTMLReport.Fact(name: $0.name, value: $0.value) }
  }

  private var command: String {
    CommandLine.arguments.dropFirst().reduce("fovea") { $0 + " " + TrainingReport.quoted($1) }
  }

  /// An argument as a shell reads it.
  private static func quoted(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty
      && argument.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"),
          UInt8(ascii: "="):
          true
        default: false
        }
      }
    return isPlain
      ? argument
      : "'" + argument.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
  }
}
