// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata
import FoveaTraining

/// The files written next to a trained model: the report, and the list of probably mislabelled photos.
struct TrainingReport {
  let trained: TrainedLabels
  /// The result of a training on boxes; nil for a classifier of photos.
  var objects: TrainedObjects?
  let output: TrainingOutputOptions
  let photos: String

  /// The lines of the list that the new one replaces.
  var excluded: [UInt8] = []

  /// The name of the page in the model's folder.
  static let name = "report.html"
  /// The name of the list of suspects in the model's folder.
  static let suspectsName = "suspects.txt"

  /// The page; nil with `--no-report`.
  var page: [UInt8]? {
    guard !output.noReport else { return nil }
    var thumbnails = ReportThumbnails(isEmpty: output.noPhotos)
    let title = output.name ?? FilePath(photos).lastComponent
    let command = CommandText.current
    return objects?.page(title: title, command: command) { thumbnails.next($0) }
      ?? trained.page(title: title, command: command) { thumbnails.next($0) }
  }

  /// A line for each excluded or probably mislabelled photo, for `--exclude`; nil if there are none.
  var suspects: [UInt8]? {
    let lines = excluded + Array(trained.suspectLines.joined().utf8)
    return lines.isEmpty ? nil : lines
  }

  /// The files for the model's folder.
  var files: [AssociatedFileContents] {
    var files: [AssociatedFileContents] = []
    if output.separateReport == nil, let page {
      files.append(AssociatedFileContents(name: TrainingReport.name, contents: page))
    }
    if let suspects {
      files.append(AssociatedFileContents(name: TrainingReport.suspectsName, contents: suspects))
    }
    return files
  }
}
