// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaMetadata
import FoveaSystem

/// What an earlier run left in its output: which images are done, and which parts of the file must go.
struct ResumeScan: Equatable {
  /// An image as results name it, in few bytes.
  struct Picture: Hashable, ExpressibleByStringLiteral {
    private let text: String

    /// The image that a column of CSV names.
    init(csv: String) { text = csv }
    init(_ name: ImageName) { text = name.csv }
    init(stringLiteral value: String) { self.init(ImageName(value)) }
    /// The image of a name and the base64 of its bytes.
    init(_ text: String, base64: String?) {
      self.init(ImageName(text: text, base64: base64))
    }
  }

  /// The images that have a whole, successful record.
  var done: Set<Picture> = []
  /// Bytes to leave out, in order: failed images (they are tried again), torn and unreadable lines.
  var dropped: [Range<Int>] = []
  /// How many records of failed images are dropped.
  var failed = 0
  /// How many lines were no results; a last line without its end is not among them.
  var unreadable = 0
  /// The length of the file.
  var length = 0
  /// Whether nothing is kept, so that the file begins again.
  var isFresh: Bool { dropped.reduce(0) { $0 + $1.count } == length }

  /// Marks bytes to be left out, joined with the ones before where they touch.
  mutating func drop(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last = dropped.last, last.upperBound == range.lowerBound {
      dropped[dropped.count - 1] = last.lowerBound..<range.upperBound
    } else {
      dropped.append(range)
    }
  }

  /// Where the file can be cut when nothing but its end must go; nil where more must.
  var cut: Int? {
    guard let only = dropped.first else { return length }
    return dropped.count == 1 && only.upperBound == length ? only.lowerBound : nil
  }
}

/// Takes a file's lines one by one and says at the end what they were.
protocol ResumeReader {
  /// A line with its end, and where it lies in the file.
  mutating func take(_ line: ArraySlice<UInt8>, at range: Range<Int>)
  /// The result for a file of `length` bytes of which those after `whole` are no whole line.
  mutating func finish(whole: Int, length: Int) -> ResumeScan
  /// Whether line breaks inside quotes belong to the line.
  var honorsQuotes: Bool { get }
}

/// Lines of JSON.
struct JSONLinesResumeReader: ResumeReader {
  private var scan = ResumeScan()
  private let json = UntrustedJSON()
  let honorsQuotes = false

  mutating func take(_ line: ArraySlice<UInt8>, at range: Range<Int>) {
    switch parse(line) {
    case .done(let image): scan.done.insert(image)
    case .failed:
      scan.failed += 1
      scan.drop(range)
    case .unreadable:
      scan.unreadable += 1
      scan.drop(range)
    }
  }

  mutating func finish(whole: Int, length: Int) -> ResumeScan {
    scan.length = length
    scan.drop(whole..<length)
    return scan
  }

  private enum Line { case done(ResumeScan.Picture), failed, unreadable }

  /// What a line is decoded into: the image, and which of the other keys there are, whatever they hold.
  private struct Result: Decodable {
    let picture: ResumeScan.Picture
    let hasFailed: Bool
    let hasResult: Bool
    private enum Key: String, CodingKey { case image, imageBytes, error, objects, labels }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Key.self)
      picture = ResumeScan.Picture(
        try members.decode(String.self, forKey: .image),
        base64: try members.decodeIfPresent(String.self, forKey: .imageBytes))
      hasFailed = members.contains(.error)
      hasResult = members.contains(.objects) || members.contains(.labels)
    }
  }

  private func parse(_ line: ArraySlice<UInt8>) -> Line {
    guard let result = try? json.decode(Result.self, from: line), result.hasFailed || result.hasResult else {
      return .unreadable
    }
    return result.hasFailed ? .failed : .done(result.picture)
  }
}

/// Rows of CSV: an image is done when it has as many rows as each of them says.
struct CSVResumeReader: ResumeReader {
  private var scan = ResumeScan()
  private let header: String
  private let width: Int
  private var isFirst = true
  private var group: Group?
  let honorsQuotes = true

  private struct Group {
    var image: String
    var count: Int
    var rows: Int
    var range: Range<Int>
    var isComplete: Bool { rows == max(1, count) }
  }

  init(kind: AnswerKind) {
    header = CSVWriter.header(of: kind)
    width = (kind == .objects ? CSVWriter.objectColumns : CSVWriter.labelColumns).count
  }

  mutating func take(_ line: ArraySlice<UInt8>, at range: Range<Int>) {
    defer { isFirst = false }
    if isFirst {
      if line.elementsEqual(header.utf8) { return }
      scan.unreadable += 1
      return scan.drop(range)
    }
    let fields = CSVFields.split(line)
    guard fields.count == width, let count = Int(fields[CSVWriter.countColumn]), count >= 0 else {
      endGroup()
      scan.unreadable += 1
      return scan.drop(range)
    }
    let number = Int(fields[CSVWriter.countColumn + 1]) ?? 0
    if var current = group, current.image == fields[0], current.count == count, number == current.rows + 1 {
      current.rows += 1
      current.range = current.range.lowerBound..<range.upperBound
      group = current
    } else {
      endGroup()
      group = Group(
        image: fields[0], count: count, rows: number == (count == 0 ? 0 : 1) ? 1 : -1, range: range)
    }
  }

  mutating func finish(whole: Int, length: Int) -> ResumeScan {
    endGroup()
    scan.length = length
    scan.drop(whole..<length)
    return scan
  }

  private mutating func endGroup() {
    guard let group else { return }
    if group.isComplete {
      scan.done.insert(ResumeScan.Picture(csv: group.image))
    } else {
      scan.drop(group.range)
    }
    self.group = nil
  }
}

/// The fields of one CSV line.
enum CSVFields {
  static func split(_ line: ArraySlice<UInt8>) -> [String] {
    var fields: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var index = line.startIndex
    while index < line.endIndex {
      let byte = line[index]
      index += 1
      switch byte {
      case 0x22 where isQuoted && index < line.endIndex && line[index] == 0x22:
        field.append(byte)
        index += 1
      case 0x22: isQuoted.toggle()
      case 0x2C where !isQuoted:
        fields.append(String(decoding: field, as: UTF8.self))
        field.removeAll()
      case 0x0A where !isQuoted: break
      default: field.append(byte)
      }
    }
    fields.append(String(decoding: field, as: UTF8.self))
    return fields
  }
}
