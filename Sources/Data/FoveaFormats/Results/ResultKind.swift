// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation
import FoveaImage

/// What a file of results is by its first bytes, whatever its name.
package enum ResultKind: Equatable {
  /// JSON: an array, one object a line, or one object.
  case json
  /// The rows of `CSVWriter`, which `CSVReader` refuses with semicolons, or of `FrameCSVWriter`.
  case csv, frameCSV
  /// A folder with a file for each image: Pascal VOC's or YOLO's.
  case voc, yolo
  /// Something else, as lines of MOTChallenge.
  case other

  /// Files that are read whole.
  static let limit = 1 << 30
  /// How many bytes at most show what a file is.
  static let startLength = 4_096

  /// Finds out what a file or folder is.
  /// - Throws: `unreadable`.
  package init(path: String) throws(EvaluationError) {
    if FileStatus(FilePath(path))?.kind == .folder {
      self = ResultKind.of(folder: path)
      return
    }
    // A pipe can be read once, as `ResultInput` does; what is not there is the reader's to report.
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
    // Zeros are no white space: a video may begin with them.
    let text = start.drop {
      $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF
    }
    let first = text.prefix { $0 != 0x0A && $0 != 0x0D }
    if let byte = text.first, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
      self = .json
    } else if CSVHeader.kind(first) != nil || CSVHeader.hasSemicolons(first) {
      self = .csv
    } else if FrameCSVWriter.columns.joined(separator: ",").utf8.elementsEqual(first) {
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

  /// The form of a folder with a file of boxes for each image, in words; nil for another folder.
  static func form(ofFolder folder: String, names: [String]) -> String? {
    if of(folder: folder) == .yolo { return "YOLO" }
    return names.contains { $0.lowercased().hasSuffix(".xml") } ? "Pascal VOC" : nil
  }

  /// The form of a folder that has boxes and no images, in words; nil for another folder.
  package static func formOfBoxes(inFolder folder: String) -> String? {
    guard let names = try? Folder.names(in: folder), !hasImages(folder, names) else { return nil }
    return form(ofFolder: folder, names: names)
  }

  /// Whether a folder has images, read or not, by the rules for a folder of frames.
  private static func hasImages(_ folder: String, _ names: [String]) -> Bool {
    var search = ImageSearch()
    for name in names {
      let file = FilePath(FilePath.joined(folder, name))
      guard FileStatus(file)?.kind != .folder else { continue }
      if search.takes(Array(name.utf8), at: file) { return true }
    }
    return search.unreadImages != nil
  }

  /// Whether a file or folder is one that `fovea detect` writes and that is no COCO file.
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
        // What cannot be read is for the reader of an instances file to report.
        return false
      }
    }
  }
}
