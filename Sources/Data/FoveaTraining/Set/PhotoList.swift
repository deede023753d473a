// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats

/// An error in a line of a list, as a sentence without the final stop.
struct LineProblem: Error {
  /// Whether the line is the header.
  var isOfHeader = false
  /// The reason why the path has no file of its own; nil if the line itself is wrong.
  var path: PathProblem?
  var text: String
}

/// A reason why a path has no file of its own.
enum PathProblem {
  /// There is no file; an address is never one.
  case missing, address
  /// Several files have its name.
  case ambiguous
  /// Another path refers to the same file.
  case shared
}

/// A CSV file that lists photos: its lines, the places of its photos, and its errors.
struct PhotoList {
  /// The file that a path means.
  struct Place {
    var path: String
    /// Whether it was found by name.
    var isNamesake = false
    /// Whether it is not at the listed path.
    var isMoved = false
  }

  /// A line that is not empty.
  struct Line {
    var number: Int
    var fields: [String]
  }

  private let path: String
  private let folder: String
  private let prefixes: [String: String]
  private var problems: [String] = []
  private var pathProblems: [PathProblem] = []
  /// Whether a folder is given for the photos, below which they are found by name.
  private let isNamedFolder: Bool
  private var namedFiles: NamedFiles?

  private static let maximumByteCount = 256 << 20
  private static let shownProblems = 10
  private static let sets: Set<String> = [
    "TRAIN", "TRAINING", "VALIDATION", "VALIDATE", "TEST", "UNASSIGNED",
  ]

  /// - Parameters:
  ///   - path: The file.
  ///   - folder: The folder that its paths are relative to; nil for the file's own folder.
  ///   - prefixes: Prefixes of paths, with their replacements.
  init(path: String, folder: String? = nil, prefixes: [String: String]) {
    self.path = path
    self.folder = folder ?? FilePath(path).parent
    isNamedFolder = folder != nil
    self.prefixes = prefixes
  }

  /// Returns the lines; white space at both ends of fields is removed.
  func lines() throws(TrainingError) -> [Line] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.bytes(of: path, limit: PhotoList.maximumByteCount)
    } catch {
      throw .unreadable(path, error)
    }
    try checkText(bytes)
    let first = CSVLines(bytes).first { line in line.contains { $0 > 0x20 } }
    if let first, CSVFields.hasSemicolons(first) {
      throw .invalidSet(
        CSVFields.semicolonProblem, source: path,
        remedy: "Save it with commas between columns and decimal points in numbers")
    }
    return CSVLines(bytes).enumerated().compactMap { index, line in
      let fields = CSVFields.split(line).map { $0.trimmed }
      return fields.allSatisfy(\.isEmpty) ? nil : Line(number: index + 1, fields: fields)
    }
  }

  /// Throws if the file is not a CSV file, instead of reporting each line.
  private func checkText(_ bytes: [UInt8]) throws(TrainingError) {
    guard !bytes.contains(0) else {
      throw .invalidSet("it is not text, so it is not a CSV file", source: path)
    }
    guard let first = bytes.first(where: { !Self.blanks.contains($0) }), [0x7B, 0x5B].contains(first) else {
      return
    }
    throw .invalidSet(
      "it is JSON instead of a folder or a CSV file", source: path,
      remedy:
        """
        Name a folder with one folder of photos per class; COCO's JSON has boxes, for \
        \(command: "train objects", "ObjectSet")
        """
    )
  }

  /// White space, and the bytes of a byte order mark.
  private static let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]

  /// Whether a field is the name of one of AutoML's sets.
  static func isSet(_ field: String) -> Bool { sets.contains(field.uppercased()) }

  /// Whether photos of a set are only evaluated; those of no set are used for training.
  static func isTest(_ set: String) throws(LineProblem) -> Bool {
    guard set.isEmpty || isSet(set) else {
      throw LineProblem(text: "'\(set.printable)' is not a set: TRAIN, VALIDATION, TEST or UNASSIGNED")
    }
    return set.uppercased() == "TEST"
  }

  /// Returns the file that a path means.
  func place(of name: String) throws(LineProblem) -> String {
    var name = name
    if let (prefix, folder) = prefixes.first(where: { name.hasPrefix($0.key) }) {
      name = folder + name.dropFirst(prefix.count)
    } else if name.contains(part: "://") {
      let bucket = name.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
      throw LineProblem(
        path: .address,
        text:
          "'\(name.printable)' is an address, but nothing is downloaded: set a prefix \(bucket)/=folder/"
      )
    }
    let place = name.hasPrefix("/") ? name : FilePath.joined(folder, name)
    guard FileStatus(FilePath(place)) != nil else {
      throw LineProblem(path: .missing, text: "there is no file '\(place.printable)'")
    }
    return place
  }

  /// Returns the file at a path, otherwise the file with the same name below the given folder, because the
  /// list may have been written on another machine.
  mutating func placeOrNamesake(of name: String) throws(LineProblem) -> Place {
    var problem: LineProblem
    do throws(LineProblem) { return Place(path: try place(of: name)) } catch { problem = error }
    guard isNamedFolder, let files = files() else { throw problem }
    switch files.file(of: name) {
    case .one(let place):
      return Place(
        path: FilePath.joined(folder, place), isNamesake: true, isMoved: !files.isSame(name, as: place))
    case .several(let places):
      throw LineProblem(path: .ambiguous, text: NamedFiles.ambiguity(of: name, among: places, below: folder))
    case .none:
      let below = "below '\(folder.printable)'"
      problem.text +=
        problem.path == .address
        ? ", as no file \(below) has its name" : ", and no other file \(below) has its name"
      throw problem
    }
  }

  /// Returns the files below the folder; nil if it cannot be read, as if it did not exist.
  private mutating func files() -> NamedFiles? {
    if namedFiles == nil {
      do throws(TrainingError) { namedFiles = try NamedFiles(below: folder) } catch { return nil }
    }
    return namedFiles
  }

  /// The remedy for paths without a file of their own; nil if a line itself is wrong.
  var pathRemedy: Advice? {
    guard !problems.isEmpty, pathProblems.count == problems.count else { return nil }
    guard isNamedFolder else {
      return "Name the folder with the images, at any depth, with \(NamedFiles.images)"
    }
    return NamedFiles.remedy(
      all: problems.count, missing: pathProblems.count { $0 == .missing || $0 == .address },
      ambiguous: pathProblems.count { $0 == .ambiguous }, field: "path")
  }

  // MARK: Problems

  mutating func add(_ problem: LineProblem, line: Int) {
    if let path = problem.path { pathProblems.append(path) }
    problems.append("line \(line): \(problem.text)")
  }

  /// The end of a remedy for addresses.
  private static let prefixAdvice: Advice =
    "; or set the prefixes of addresses with \(flag: "path-prefix", "'prefixes'")"

  /// Throws `invalidSet` with at most ten of the wrong lines.
  func check(remedy: Advice) throws(TrainingError) {
    guard !problems.isEmpty else { return }
    var text = problems.prefix(PhotoList.shownProblems).joined(separator: "; ")
    if problems.count > PhotoList.shownProblems {
      text +=
        "; and \(DecimalText.counted(problems.count - PhotoList.shownProblems, "more line", "more lines"))"
    }
    throw .invalidSet(
      text, source: path, remedy: pathProblems.contains(.address) ? remedy + Self.prefixAdvice : remedy)
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmed: String {
    let scalars = unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
    var end = scalars.endIndex
    while end > scalars.startIndex {
      let before = scalars.index(before: end)
      guard scalars[before].properties.isWhitespace else { break }
      end = before
    }
    return String(scalars[..<end])
  }
}
