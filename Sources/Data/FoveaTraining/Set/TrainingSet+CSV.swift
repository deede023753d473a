// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaImage

extension TrainingSet {
  /// Reads a CSV file that lists photos with their labels.
  ///
  /// Two forms are supported: AutoML's, `[SET,]path,label[,label…]` without a header, in which SET is TRAIN,
  /// VALIDATION, TEST or UNASSIGNED and VALIDATION is used for training because folds replace it; and one
  /// with a header with the columns `path` or `file`, one or more `label` or `class`, and optionally `split`.
  /// Paths are relative to the file.
  /// - Parameters:
  ///   - path: The file.
  ///   - prefixes: Prefixes of paths, with their replacements: `["gs://bucket/": "photos/"]`.
  ///   - other: A folder with photos that show none of the classes.
  /// - Throws: `TrainingError` `unreadable`, `invalidSet` with at most ten of the wrong lines.
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
    var search = ImageSearch()
    if let other { others += try TrainingSet.others(in: other, besides: others, search: &search) }
    guard !items.isEmpty else { throw .invalidSet("it lists no photos", source: path) }
    try self.init(items, others: others, source: path)
    passedOver = search.note
  }

  /// Reads a folder, or a CSV file if the path is not a folder.
  /// - Throws: The errors of `init(folder:isNested:other:)` and `init(csv:prefixes:other:)`.
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

  private(set) var rows: [Row] = []
  private var list: PhotoList
  private var columns: Columns?

  init(path: String, prefixes: [String: String]) { list = PhotoList(path: path, prefixes: prefixes) }

  /// The columns of a header.
  private struct Columns {
    var path: Int
    /// The label columns, at least one; a photo may leave all but the first empty.
    var labels: [Int]
    var split: Int?
    var count: Int

    /// Nil if the line is not a header.
    /// - Throws: An error for a header without a label column.
    init?(_ header: [String]) throws(LineProblem) {
      let names = header.map { $0.lowercased() }
      guard let path = names.firstIndex(where: { ["path", "file", "image"].contains($0) }) else { return nil }
      labels = names.indices.filter { ["label", "class", "labels"].contains(names[$0]) }
      guard !labels.isEmpty else {
        throw LineProblem(
          isOfHeader: true,
          text: "the header '\(header.joined(separator: ",").printable)' has no column label or class")
      }
      (self.path, count) = (path, names.count)
      split = names.firstIndex { ["split", "set"].contains($0) }
    }
  }

  mutating func read() throws(TrainingError) {
    for line in try list.lines() {
      do throws(LineProblem) {
        if line.number == 1, let header = try Columns(line.fields) {
          columns = header
        } else {
          rows.append(try row(line.fields))
        }
      } catch {
        list.add(error, line: line.number)
        // Without its header, every other line would be wrong.
        if line.number == 1, rows.isEmpty, error.isOfHeader { break }
      }
    }
    try list.check(
      remedy:
        """
        Write a line path,label for each photo, with paths relative to the file; AutoML's TRAIN,path,label \
        also works
        """
    )
  }

  private func row(_ fields: [String]) throws(LineProblem) -> Row {
    guard let columns else { return try automlRow(fields) }
    guard fields.count > max(columns.path, columns.labels[0], columns.split ?? 0) else {
      throw LineProblem(
        text: "\(DecimalText.counted(fields.count, "column", "columns")), but the header has more")
    }
    guard fields.dropFirst(columns.count).allSatisfy(\.isEmpty) else {
      throw LineProblem(
        text: "\(fields.count) columns, but the header has \(columns.count): it must name each label column")
    }
    return try row(
      set: columns.split.map { fields[$0] } ?? "", path: fields[columns.path],
      labels: columns.labels.filter { fields.indices.contains($0) }.map { fields[$0] }.filter { !$0.isEmpty })
  }

  private func automlRow(_ fields: [String]) throws(LineProblem) -> Row {
    let hasSet = PhotoList.isSet(fields[0])
    let rest = hasSet ? fields.dropFirst() : fields[...]
    guard rest.count >= 2, let path = rest.first else { throw LineProblem(text: "no label") }
    // A photo in second place shows that the first field is meant as a set.
    if !hasSet, rest.count > 2, (try? list.place(of: path)) == nil, (try? list.place(of: fields[1])) != nil {
      return try row(set: path, path: fields[1], labels: Array(fields[2...]))
    }
    return try row(set: hasSet ? fields[0] : "", path: path, labels: rest.dropFirst().filter { !$0.isEmpty })
  }

  private func row(set: String, path: String, labels: [String]) throws(LineProblem) -> Row {
    guard !path.isEmpty else { throw LineProblem(text: "no path") }
    guard labels.contains(where: { !$0.isEmpty }) else { throw LineProblem(text: "no label") }
    let isTest = try PhotoList.isTest(set)
    var seen: Set<String> = []
    return Row(
      path: try list.place(of: path), name: path, labels: labels.filter { seen.insert($0).inserted },
      isTest: isTest)
  }
}
