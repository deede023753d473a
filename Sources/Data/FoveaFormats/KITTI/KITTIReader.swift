// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaEvaluation
import FoveaGeometry

/// Reads label files of KITTI's tracking benchmark: ground truth and trackers' results.
///
/// A line is a box, its columns separated by spaces: frame from 0, identity, type, truncation, occlusion,
/// angle, left, top, right and bottom in pixels; then seven columns of the box in space, which are not read,
/// and in results the score. Frames may come in any order. An invalid line is an error with the line's
/// number: too few columns, a type that KITTI does not have, a number that is not finite, a right edge left
/// of the left one. An identity may occur twice in a frame only if it is negative, as in a `DontCare` region,
/// or if the types differ.
///
/// **Source:** the devkit of KITTI's tracking benchmark, cvlibs.net.
public struct KITTIReader: Sendable, Hashable {
  /// Creates a reader.
  public init() {}

  /// Reads a file of any size in pieces.
  /// - Throws: `EvaluationError` `unreadable` or `invalidLine`.
  public func read(path: String) throws(EvaluationError) -> TrackFrames { try read(LineReader.file(path)) }

  /// Reads text in memory; `name` is its name in messages.
  /// - Throws: `EvaluationError` `invalidLine`.
  public func read(text: [UInt8], name: String) throws(EvaluationError) -> TrackFrames {
    try read(LineReader(bytes: text, name: name))
  }

  private func read(_ reader: consuming LineReader) throws(EvaluationError) -> TrackFrames {
    var fields = LineFields()
    var warnings = TrackFileWarnings(file: reader.name)
    var frames: [Int] = []
    var annotations: [TrackAnnotation] = []
    var lines: [Int] = []
    var columnCount = Int.max
    while let line = try reader.next() {
      fields.splitAtSpaces(reader.bytes, line)
      if fields.count == 0 { continue }
      columnCount = min(columnCount, fields.count)
      let row = try KITTIRow(fields, reader)
      frames.append(row.frame)
      annotations.append(row.annotation)
      lines.append(reader.line)
    }
    if annotations.isEmpty { warnings.add(.empty, line: 0, "the file has no boxes", "nothing was read") }
    return TrackFrames(
      name: reader.name, frames: frames, annotations: annotations, lines: lines,
      columnCount: annotations.isEmpty ? 0 : columnCount, warnings: warnings.list)
  }
}

/// One line of a label file.
private struct KITTIRow {
  let frame: Int
  let annotation: TrackAnnotation

  private static let columns = [
    "frame", "identity", "type", "truncation", "occlusion", "angle", "left", "top", "right", "bottom",
  ]
  private static let scoreColumn = 17
  private static let remedy: Advice =
    """
    A line is frame, identity, type, truncation, occlusion, angle, left, top, right, bottom and more \
    columns, separated by spaces; correct the line, or name the right file
    """

  init(_ fields: LineFields, _ reader: borrowing LineReader) throws(EvaluationError) {
    let names = KITTIRow.columns
    guard fields.count >= names.count else {
      throw reader.failure(
        "\(fields.count) \(fields.count == 1 ? "column" : "columns"); \(names.count) are needed: "
          + names.joined(separator: ", "),
        remedy: KITTIRow.remedy)
    }
    frame = try KITTIRow.whole(0, 0...MOTReader.maximumFrame, fields, reader)
    let identity = try KITTIRow.whole(1, -1...(1 << 53), fields, reader)
    let type = String(decoding: reader.bytes[fields.ranges[2]], as: UTF8.self)
    guard let kind = KITTIClass(type: type) else {
      throw reader.failure(
        "type is \(LineFields.shown(reader.bytes, fields.ranges[2])), not one of "
          + KITTIClass.allCases.map(\.description).joined(separator: ", "),
        remedy: KITTIRow.remedy)
    }
    let truncation = try KITTIRow.number(3, fields, reader)
    let occlusion = try KITTIRow.number(4, fields, reader)
    let box = BoundingBox(
      minX: try KITTIRow.number(6, fields, reader), minY: try KITTIRow.number(7, fields, reader),
      maxX: try KITTIRow.number(8, fields, reader), maxY: try KITTIRow.number(9, fields, reader))
    guard box.width >= 0, box.height >= 0, (box.width * box.height).isFinite else {
      throw reader.failure(
        "the box has the size \(box.width) by \(box.height)", remedy: "Correct or remove the line")
    }
    let score =
      fields.count > KITTIRow.scoreColumn ? try KITTIRow.number(KITTIRow.scoreColumn, fields, reader) : 1
    annotation = TrackAnnotation(
      identity: identity, box: box, score: score, classID: kind.rawValue,
      occlusion: Int(max(-1, min(occlusion, 9))), truncation: Int(max(-1, min(truncation, 9))))
  }

  private static func number(
    _ column: Int, _ fields: LineFields, _ reader: borrowing LineReader
  ) throws(EvaluationError) -> Double {
    guard let value = NumberText.double(reader.bytes, fields.ranges[column]), value.isFinite else {
      let name = column < columns.count ? columns[column] : "score"
      throw reader.failure(
        "\(name) is \(LineFields.shown(reader.bytes, fields.ranges[column])), not a finite number",
        remedy: remedy)
    }
    return value
  }

  private static func whole(
    _ column: Int, _ range: ClosedRange<Int>, _ fields: LineFields, _ reader: borrowing LineReader
  ) throws(EvaluationError) -> Int {
    guard let value = Int(exactly: try number(column, fields, reader)), range.contains(value) else {
      throw reader.failure(
        "\(columns[column]) is \(LineFields.shown(reader.bytes, fields.ranges[column])), "
          + "not a whole number from \(range.lowerBound) to \(range.upperBound)",
        remedy: remedy)
    }
    return value
  }
}
