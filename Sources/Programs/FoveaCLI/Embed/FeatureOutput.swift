// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// The destination of a run's features or matches.
protocol FeatureConsumer: AnyObject {
  /// Accepts the features of the next photo.
  /// - Throws: `FeatureFailure.photo` for a photo that cannot be used, so that the run continues with the
  ///   next.
  func take(_ photo: PhotoFeatures) throws(FeatureFailure)
  /// Completes the output.
  func finish() throws(FeatureFailure)
}

/// The reason why features are not used.
enum FeatureFailure: Error {
  /// This photo cannot be used; the run continues.
  case photo(FoveaError)
  /// The run ends.
  case output(OutputFile.Failure)
}

/// Writes features in one of the formats.
final class FeatureWriter: FeatureConsumer {
  private let format: FeatureFormat
  private let file: OutputFile
  /// The file of an array's paths; nil for other formats.
  private let pathFile: OutputFile?
  private var hasHeader = false
  /// The numbers and paths of an array, whose header has their count.
  private var values: [Float] = []
  private var paths: [String] = []
  private var dimension = 0

  init(_ format: FeatureFormat, to file: OutputFile, paths pathFile: OutputFile? = nil) {
    self.format = format
    self.file = file
    self.pathFile = pathFile
  }

  func take(_ photo: PhotoFeatures) throws(FeatureFailure) {
    dimension = photo.values.count
    switch format {
    case .csv:
      try write(file, (hasHeader ? "" : photo.csvHeader) + photo.csv)
      hasHeader = true
    case .jsonl: try write(file, photo.json + "\n")
    case .npy:
      let path = photo.name.csv
      guard !path.utf8.contains(0x0A), !path.utf8.contains(0x0D) else {
        throw .photo(
          FoveaError(
            .resultUnwritable, "the list of paths next to a .npy file cannot hold a name with a line break",
            remedy: "Rename the photo, or write .csv or .jsonl"))
      }
      values += photo.values
      paths.append(path)
    }
  }

  func finish() throws(FeatureFailure) {
    do throws(OutputFile.Failure) {
      if format == .npy {
        let header = NumPyArray.header(rows: paths.count, columns: dimension)
        try file.write(bytes: header + NumPyArray.bytes(of: values))
        try pathFile?.write(paths.map { $0 + "\n" }.joined())
        try pathFile?.finish()
      }
      try file.finish()
    } catch {
      throw .output(error)
    }
  }

  private func write(_ file: OutputFile, _ text: String) throws(FeatureFailure) {
    do throws(OutputFile.Failure) { try file.write(text) } catch { throw .output(error) }
  }

  /// The file with the paths of an array: "features.npy" has "features.txt".
  static func pathFile(of array: String) -> String { ResultFile.stem(array) + ".txt" }
}
