// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata
import FoveaTraining

/// What is written next to a trained model: the report, and the list of photos that are probably labelled wrong.
struct TrainingReport {
  let trained: TrainedLabels
  /// What was trained on boxes; nil for a classifier of photos.
  var objects: TrainedObjects?
  let output: TrainingOutputOptions
  let photos: String

  /// The lines of the list that the new one takes the place of.
  var excluded: [UInt8] = []

  /// What the page is called in the folder of the model.
  static let name = "report.html"
  /// What the list of suspects is called there.
  static let suspectsName = "suspects.txt"

  /// The page; nil where none is wanted.
  var page: [UInt8]? {
    guard !output.noReport else { return nil }
    var thumbnails = ReportThumbnails(isEmpty: output.noPhotos)
    let title = output.name ?? FilePath(photos).lastComponent
    let command = CommandText.current
    return objects?.page(title: title, command: command) { thumbnails.next($0) }
      ?? trained.page(title: title, command: command) { thumbnails.next($0) }
  }

  /// A line for each photo that was left out or is probably labelled wrong, for `--exclude`; nil where there is none.
  var suspects: [UInt8]? {
    let lines = excluded + Array(trained.suspectLines.joined().utf8)
    return lines.isEmpty ? nil : lines
  }

  /// The files that belong into the folder of the model.
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
