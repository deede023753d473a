// SPDX-License-Identifier: Apache-2.0

internal import FoveaFormats
internal import FoveaSystem

extension TrainingSet {
  /// Reads a CSV file that lists photos with their labels.
  ///
  /// Two forms are known: that of AutoML, `[SET,]path,label[,label…]` without a header, where SET is TRAIN, VALIDATION, TEST or
  /// UNASSIGNED and VALIDATION is learned from, as folds take its place; and one with a header that names the columns `path` or
  /// `file`, `label` or `class`, and perhaps `split`. Paths are relative to the file.
  /// - Parameters:
  ///   - path: The file.
  ///   - prefixes: What paths begin with, and the folder that it stands for: `["gs://bucket/": "photos/"]`.
  ///   - other: A folder with photos of none of the classes.
  /// - Throws: `TrainingError` `unreadable`, `invalidSet` with the lines that are wrong, at most ten of them.
  public init(
    csv path: String, prefixes: [String: String] = [:], other: String? = nil
  ) throws(TrainingError) {
    var reader = TrainingCSV(path: path, prefixes: prefixes)
    try reader.read()
    var items: [(photo: Photo, labels: [String])] = []
    var others: [Photo] = []
    for row in reader.rows {
      let photo = Photo(path: row.path, name: row.name, labels: [], isTest: row.isTest)
      let labels = row.labels.filter { !ClassNames.meansOther($0) }
      if labels.isEmpty { others.append(photo) } else { items.append((photo, labels)) }
    }
    if let other { others += try TrainingSet.others(in: other) }
    guard !items.isEmpty else { throw .invalidSet("it lists no photos", source: path) }
    try self.init(items, others: others, source: path)
  }

  /// Reads a folder, or a CSV file, as its name shows.
  /// - Throws: As `init(folder:isNested:other:)` and `init(csv:prefixes:other:)`.
  package init(
    _ path: String, isNested: Bool, prefixes: [String: String], other: String?
  ) throws(TrainingError) {
    if FileStatus(FilePath(path))?.kind == .folder {
      try self.init(folder: path, isNested: isNested, other: other)
    } else {
      try self.init(csv: path, prefixes: prefixes, other: other)
    }
  }
}

/// The rows of a file that lists photos.
private struct TrainingCSV {
  struct Row {
    var path: String
    var name: String
    var labels: [String]
    var isTest: Bool
  }

  private let path: String
  private let prefixes: [String: String]
  private(set) var rows: [Row] = []
  private var problems: [String] = []
  private var columns: Columns?

  private static let maximumByteCount = 256 << 20
  private static let shownProblems = 10
  private static let sets: Set<String> = [
    "TRAIN", "TRAINING", "VALIDATION", "VALIDATE", "TEST", "UNASSIGNED",
  ]

  init(path: String, prefixes: [String: String]) {
    self.path = path
    self.prefixes = prefixes
  }

  /// Where a header puts what.
  private struct Columns {
    var path: Int
    var label: Int
    var split: Int?

    init?(_ header: [String]) {
      let names = header.map { $0.trimmed.lowercased() }
      guard let path = names.firstIndex(where: { ["path", "file", "image"].contains($0) }),
        let label = names.firstIndex(where: { ["label", "class", "labels"].contains($0) })
      else { return nil }
      (self.path, self.label) = (path, label)
      split = names.firstIndex { ["split", "set"].contains($0) }
    }
  }

  mutating func read() throws(TrainingError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.bytes(of: path, limit: TrainingCSV.maximumByteCount)
    } catch {
      throw .unreadable(path, error)
    }
    var number = 0
    for line in CSVLines(bytes) {
      number += 1
      let fields = CSVFields.split(line).map { $0.trimmed }
      if fields.allSatisfy({ $0.isEmpty }) { continue }
      if number == 1, let header = Columns(fields) {
        columns = header
        continue
      }
      do throws(Problem) { rows.append(try row(fields)) } catch {
        problems.append("line \(number): \(error.text)")
      }
    }
    try check()
  }

  private func check() throws(TrainingError) {
    guard !problems.isEmpty else { return }
    var text = problems.prefix(TrainingCSV.shownProblems).joined(separator: "; ")
    if problems.count > TrainingCSV.shownProblems {
      text += "; and \(problems.count - TrainingCSV.shownProblems) more lines"
    }
    throw .invalidSet(
      text, source: path,
      remedy:
        "Write a line path,label for each photo, paths relative to the file; AutoML's TRAIN,path,label is read, too"
    )
  }

  private struct Problem: Error { var text: String }

  private func row(_ fields: [String]) throws(Problem) -> Row {
    guard let columns else { return try automlRow(fields) }
    guard fields.count > max(columns.path, columns.label, columns.split ?? 0) else {
      throw Problem(text: "\(fields.count) columns, and the header has more")
    }
    return try row(
      set: columns.split.map { fields[$0] } ?? "", path: fields[columns.path], labels: [fields[columns.label]]
    )
  }

  private func automlRow(_ fields: [String]) throws(Problem) -> Row {
    let hasSet = TrainingCSV.sets.contains(fields[0].uppercased())
    let rest = hasSet ? fields.dropFirst() : fields[...]
    guard rest.count >= 2, let path = rest.first else { throw Problem(text: "no label") }
    return try row(set: hasSet ? fields[0] : "", path: path, labels: rest.dropFirst().filter { !$0.isEmpty })
  }

  private func row(set: String, path: String, labels: [String]) throws(Problem) -> Row {
    guard !path.isEmpty else { throw Problem(text: "no path") }
    guard labels.contains(where: { !$0.isEmpty }) else { throw Problem(text: "no label") }
    let known = set.isEmpty || TrainingCSV.sets.contains(set.uppercased())
    guard known else {
      throw Problem(text: "'\(set.printable)' is no set: TRAIN, VALIDATION, TEST or UNASSIGNED")
    }
    var seen: Set<String> = []
    return Row(
      path: try place(of: path), name: path, labels: labels.filter { seen.insert($0).inserted },
      isTest: set.uppercased() == "TEST")
  }

  /// The file that a path means.
  private func place(of name: String) throws(Problem) -> String {
    var name = name
    if let (prefix, folder) = prefixes.first(where: { name.hasPrefix($0.key) }) {
      name = folder + name.dropFirst(prefix.count)
    } else if name.contains("://") {
      let bucket = name.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
      throw Problem(
        text: "'\(name.printable)' is an address, and nothing is downloaded: --path-prefix \(bucket)/=folder/"
      )
    }
    let place = name.hasPrefix("/") ? name : FilePath.joined(FilePath(path).parent, name)
    guard FileStatus(FilePath(place)) != nil else {
      throw Problem(text: "there is no file '\(place.printable)'")
    }
    return place
  }
}

extension String {
  /// Without white space at both ends.
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
