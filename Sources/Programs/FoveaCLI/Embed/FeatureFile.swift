// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaImage

/// A format of features; the extension of the file selects it.
enum FeatureFormat: String, CaseIterable, Sendable {
  /// A line per photo: its path, then a column per number.
  case csv
  /// One array of float32 for NumPy, with the paths in a text file next to it.
  case npy
  /// A JSON object per line.
  case jsonl

  /// Selects the format of a file; nil for another extension.
  init?(endingOf path: String) {
    guard let ending = FilePath(path).ending, let format = FeatureFormat(rawValue: ending) else { return nil }
    self = format
  }

  /// The extensions for messages.
  static let endingNames = ".csv, .npy or .jsonl"
}

/// Reads files that `fovea embed` has written.
enum FeatureFile {
  /// The largest file that is read, in bytes.
  private static let limit = 8 << 30

  /// Reads all features of a file.
  /// - Throws: `input-unreadable`, `features-invalid`.
  static func read(_ path: String, _ format: FeatureFormat) throws(FoveaError) -> [PhotoFeatures] {
    let bytes = try content(of: path)
    let photos: [PhotoFeatures]
    switch format {
    case .csv: photos = try csv(bytes, path)
    case .jsonl: photos = try jsonl(bytes, path)
    case .npy: photos = try array(bytes, path)
    }
    guard !photos.isEmpty else { throw invalid(path, "it holds no features") }
    return photos
  }

  /// Returns the index of features.
  /// - Throws: `features-invalid` for features of different lengths, and those that have no direction.
  static func index(of photos: [PhotoFeatures], from source: String) throws(FoveaError) -> EmbeddingIndex {
    guard let dimension = photos.first?.values.count, dimension > 0 else {
      throw invalid(source, "it holds no features")
    }
    var index = EmbeddingIndex(dimension: dimension)
    index.reserveCapacity(photos.count)
    for photo in photos {
      do throws(EmbeddingIndex.Problem) { try index.append(photo.values) } catch {
        throw invalid(source, "the features of '\(photo.name.text.printable)' \(error.words(dimension))")
      }
    }
    return index
  }

  private static func content(of path: String) throws(FoveaError) -> [UInt8] {
    do { return try SmallFile.bytes(of: path, limit: limit) } catch {
      throw FoveaError(
        .inputUnreadable, "cannot be read: \(error.message)", remedy: "Check the path and its permissions",
        subject: path)
    }
  }

  private static func csv(_ bytes: [UInt8], _ path: String) throws(FoveaError) -> [PhotoFeatures] {
    var photos: [PhotoFeatures] = []
    var number = 0
    for line in CSVLines(bytes) {
      number += 1
      let fields = CSVFields.split(line)
      if number == 1, CSVFields.hasSemicolons(line) { throw invalid(path, CSVFields.semicolonProblem) }
      if number == 1, isHeader(fields) { continue }
      if fields == [""] { continue }
      let values = fields.dropFirst().compactMap { Float($0) }
      guard !values.isEmpty, values.count == fields.count - 1 else {
        throw invalid(path, "line \(number) is not a path and numbers")
      }
      photos.append(PhotoFeatures(name: ImageName(csv: fields[0]), values: values))
    }
    return photos
  }

  /// Whether the first line has the names of the columns, as Fovea writes it, or as other programs save it:
  /// the first one may be another name, and the others are numbered from 0 or 1, or all from 1.
  private static func isHeader(_ fields: [String]) -> Bool {
    if fields[0] == "image" { return true }
    // Two features may be 0 and 1.
    guard fields.count > 1, ImageFileName.imageExtension(fields[0].utf8) == nil,
      let first = Double(fields[1]), first == 0 || first == 1 || first == 2 && Double(fields[0]) == 1
    else { return false }
    return fields.dropFirst().enumerated().allSatisfy { Double($0.element) == first + Double($0.offset) }
  }

  /// A line of JSON; `error` and other members are ignored.
  private struct Line: Decodable {
    var image: String
    var imageBytes: String?
    var features: [Float]
  }

  private static func jsonl(_ bytes: [UInt8], _ path: String) throws(FoveaError) -> [PhotoFeatures] {
    var photos: [PhotoFeatures] = []
    var number = 0
    for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
      guard let line = try? JSONValue.decode(Line.self, from: text) else {
        throw invalid(path, "line \(number) is not an object with 'image' and 'features'")
      }
      photos.append(
        PhotoFeatures(name: ImageName(text: line.image, base64: line.imageBytes), values: line.features))
    }
    return photos
  }

  private static func array(_ bytes: [UInt8], _ path: String) throws(FoveaError) -> [PhotoFeatures] {
    let rows: [[Float]]
    do throws(NumPyArray.Problem) { rows = try NumPyArray.rows(bytes) } catch {
      throw FoveaError(.featuresInvalid, error.words, remedy: error.remedy, subject: path)
    }
    let list = FeatureWriter.pathFile(of: path)
    let names = try paths(content(of: list))
    guard names.count == rows.count else {
      throw invalid(
        path, "it has \(rows.count) rows, but '\(list.printable)' has \(names.count) paths")
    }
    return zip(names, rows).map { PhotoFeatures(name: ImageName(csv: $0), values: $1) }
  }

  /// Returns the lines of an array's list, which an editor may have saved with a byte order mark and `\r\n`.
  private static func paths(_ bytes: [UInt8]) -> [String] {
    let text = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    return text.split(separator: 0x0A).compactMap { line in
      let path = line.last == 0x0D ? line.dropLast() : line
      return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
    }
  }

  /// The next step for features that cannot be used.
  static let remedy: Advice = "Name photos, or a file that 'fovea embed' has written with the same model"

  /// Returns the error of a file or folder whose features cannot be used.
  static func invalid(_ source: String, _ reason: String) -> FoveaError {
    FoveaError(.featuresInvalid, reason, remedy: remedy, subject: source)
  }
}

extension EmbeddingIndex.Problem {
  /// The end of a sentence about an embedding.
  /// - Parameter dimension: The number of values of the others.
  /// - Returns: The words after "the features", without the full stop.
  func words(_ dimension: Int) -> String {
    switch self {
    case .length(let count): "have \(count) numbers, the first ones \(dimension)"
    case .notFinite(let index): "are not finite at number \(index)"
    case .zero: "are all zero, so they have no direction"
    }
  }
}
