// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation
import FoveaImage

/// The kind of a results file, detected by its first bytes, regardless of its name.
package enum ResultKind: Equatable {
  /// JSON: an array, one object per line, or one object.
  case json
  /// The rows of `CSVWriter`, which `CSVReader` refuses if separated by semicolons, or of `FrameCSVWriter`.
  case csv, frameCSV
  /// A folder with one file per image, in the form of Pascal VOC or YOLO.
  case voc, yolo
  /// Anything else, such as lines of MOTChallenge.
  case other

  /// The maximum size in bytes of files that are read at once.
  static let limit = 1 << 30
  /// The number of bytes that is enough to detect the kind.
  static let startLength = 4_096

  /// Detects the kind of a file or folder.
  /// - Throws: `unreadable`.
  package init(path: String) throws(EvaluationError) {
    if FileStatus(FilePath(path))?.kind == .folder {
      self = ResultKind.of(folder: path)
      return
    }
    // A pipe can be read only once, by `ResultInput`; the reader reports a missing file.
    guard FileStatus(FilePath(path))?.kind == .file else {
      self = .json
      return
    }
    var start = [UInt8](repeating: 0, count: ResultKind.startLength)
    do throws(SystemError) {
      let source = try ByteSource(path: path)
      let count = try source.read(into: &start, from: 0)
      start.removeLast(start.count - count)
    } catch {
      throw EvaluationError(JSONFailure("'\(path)'", error))
    }
    self.init(start: start)
  }

  init(start: [UInt8]) {
    // Zeros are not white space: a video may begin with them.
    let text = start.drop {
      $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF
    }
    let first = text.prefix { $0 != 0x0A && $0 != 0x0D }
    if let byte = text.first, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
      self = .json
    } else if CSVHeader.kind(first) != nil || CSVHeader.hasSemicolons(first) {
      self = .csv
    } else if CSVHeader.isOfFrames(first) {
      self = .frameCSV
    } else {
      self = .other
    }
  }

  private static func of(folder: String) -> ResultKind {
    let isFolder = { (name: String) in FileStatus(FilePath(FilePath.joined(folder, name)))?.kind == .folder }
    let hasClasses = FileStatus(FilePath(FilePath.joined(folder, "classes.txt"))) != nil
    return isFolder("labels") && hasClasses ? .yolo : .voc
  }

  /// Returns the name of the form of a folder with one file of boxes per image; nil for other folders.
  static func form(ofFolder folder: String, names: [String]) -> String? {
    if of(folder: folder) == .yolo { return "YOLO" }
    return names.contains { $0.lowercased().hasSuffix(".xml") } ? "Pascal VOC" : nil
  }

  /// Returns the name of the form of a folder with boxes but without images; nil for other folders.
  package static func formOfBoxes(inFolder folder: String) -> String? {
    guard let names = try? Folder.names(in: folder), !hasImages(folder, names) else { return nil }
    return form(ofFolder: folder, names: names)
  }

  /// Whether a folder has images, readable or not, by the rules for a folder of frames.
  private static func hasImages(_ folder: String, _ names: [String]) -> Bool {
    var search = ImageSearch()
    for name in names {
      let file = FilePath(FilePath.joined(folder, name))
      guard FileStatus(file)?.kind != .folder else { continue }
      if search.takes(Array(name.utf8), at: file) { return true }
    }
    return search.unreadImages != nil
  }

  /// Returns the name of the form of a file with results of `fovea` other than COCO; nil for other files.
  /// - Throws: `unreadable`.
  static func formOfResults(inFile path: String) throws(EvaluationError) -> String? {
    guard FileStatus(FilePath(path))?.kind == .file else { return nil }
    switch try ResultKind(path: path) {
    case .csv, .frameCSV: return "CSV"
    case .json: return try isRecords(path) ? "JSON" : nil
    case .voc, .yolo, .other: return nil
    }
  }

  /// Returns whether a file or folder has a format of `fovea detect` other than COCO.
  /// - Throws: `unreadable`.
  package static func isRecords(_ path: String) throws(EvaluationError) -> Bool {
    switch try ResultKind(path: path) {
    case .csv, .voc, .yolo: return true
    case .frameCSV, .other: return false
    case .json:
      do throws(JSONFailure) {
        guard FileStatus(FilePath(path))?.kind == .file else { return false }
        var reader = try JSONReader.file(path)
        return try reader.beginsRecords()
      } catch {
        // The reader of an instances file reports what cannot be read.
        return false
      }
    }
  }
}
