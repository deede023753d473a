// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaGeometry

/// The lines of a MOT file while it is read.
struct MOTRows {
  private let content: MOTReader.Content
  private let minimumColumns: Int
  private var fields = LineFields()
  private var warnings: TrackFileWarnings
  private var frames: [Int] = []
  private var annotations: [TrackAnnotation] = []
  private var lines: [Int] = []
  private var columnCount = Int.max

  private static let columns = [
    "frame", "identity", "x", "y", "width", "height", "score", "class", "visibility",
  ]
  private static let remedy: Advice =
    """
    A line is frame,identity,x,y,width,height,score and more columns; correct the line, or name the right file
    """

  init(_ reader: MOTReader, name: String) {
    content = reader.content
    minimumColumns = reader.minimumColumns
    warnings = TrackFileWarnings(file: name)
  }

  mutating func append(_ line: Range<Int>, of reader: borrowing LineReader) throws(EvaluationError) {
    fields.split(reader.bytes, line)
    if fields.count == 0 { return }
    guard fields.count >= minimumColumns else {
      throw reader.failure(
        "\(fields.count) \(fields.count == 1 ? "column" : "columns"); \(minimumColumns) are needed: "
          + MOTRows.columns.prefix(minimumColumns).joined(separator: ", "),
        remedy: MOTRows.remedy)
    }
    columnCount = min(columnCount, fields.count)
    let frame = try frame(reader)
    let identity = try identity(reader)
    let x = try number(2, reader)
    let y = try number(3, reader)
    let width = try number(4, reader)
    let height = try number(5, reader)
    let score = try score(reader)
    var annotation = TrackAnnotation(
      identity: identity, box: BoundingBox(x: x, y: y, width: width, height: height), score: score)
    if fields.count > 7 { try readClass(into: &annotation, reader) }
    let box = annotation.box
    let isPlain = width > 0 && height > 0 && box.area.isFinite && box.maxX.isFinite && box.maxY.isFinite
    if !(isPlain && Float(score).isFinite) {
      guard try isSound([x, y, width, height, score], box, reader) else { return }
    }
    if content == .detections { warn(of: annotation, frame: frame, line: reader.line) }
    frames.append(frame)
    annotations.append(annotation)
    lines.append(reader.line)
  }

  consuming func finish() -> TrackFrames {
    if annotations.isEmpty { warnings.add(.empty, line: 0, "the file has no boxes", "nothing was read") }
    return TrackFrames(
      name: warnings.file, frames: frames, annotations: annotations, lines: lines,
      columnCount: columnCount == Int.max ? 0 : columnCount, warnings: warnings.list)
  }

  // MARK: Columns

  private func number(_ column: Int, _ reader: borrowing LineReader) throws(EvaluationError) -> Double {
    guard let value = NumberText.double(reader.bytes, fields.ranges[column]) else {
      throw reader.failure("\(name(column)) is \(text(column, reader)), not a number", remedy: MOTRows.remedy)
    }
    return value
  }

  private func frame(_ reader: borrowing LineReader) throws(EvaluationError) -> Int {
    let value = try number(0, reader)
    guard let frame = Int(exactly: value), frame <= MOTReader.maximumFrame else {
      throw reader.failure(
        "frame is \(text(0, reader)), not a whole number from 1 to \(MOTReader.maximumFrame)",
        remedy: MOTRows.remedy)
    }
    guard frame >= 1 else {
      throw reader.failure("frame is \(frame)", remedy: "MOT counts frames from 1; renumber the frames")
    }
    return frame
  }

  private func identity(_ reader: borrowing LineReader) throws(EvaluationError) -> Int {
    let value = try number(1, reader)
    // Detectors number their boxes in many ways, and nothing depends on the numbers.
    if content == .detections { return -1 }
    guard let identity = Int(exactly: value), identity >= 0, identity < 1 << 53 else {
      throw reader.failure(
        "identity is \(text(1, reader)), not a whole number of at least 0",
        remedy: value == -1
          ? "-1 marks detections without identities; name a file that a tracker wrote" : MOTRows.remedy)
    }
    return identity
  }

  private mutating func score(_ reader: borrowing LineReader) throws(EvaluationError) -> Double {
    if fields.count > 6 { return try number(6, reader) }
    if content == .detections {
      warnings.add(.noScores, line: reader.line, "no score, the seventh column", "the score 1 is used")
    }
    return 1
  }

  private func readClass(
    into annotation: inout TrackAnnotation, _ reader: borrowing LineReader
  ) throws(EvaluationError) {
    guard content == .groundTruth else {
      // In results and detections this column may be a position in space.
      let value = NumberText.double(reader.bytes, fields.ranges[7]) ?? -1
      if let classID = Int(exactly: value), classID >= 0 { annotation.classID = classID }
      return
    }
    let value = try number(7, reader)
    guard value.isFinite, abs(value) < 0x1p31 else {
      throw reader.failure("class is \(text(7, reader)), not a class number", remedy: MOTRows.remedy)
    }
    annotation.classID = Int(value)
    // With ten columns, the last three are a position in space.
    if fields.count == 9 { annotation.visibility = try number(8, reader) }
  }

  // MARK: Warnings

  /// Whether the box can be used; otherwise it is left out of detections and is an error elsewhere.
  private mutating func isSound(
    _ values: [Double], _ box: BoundingBox, _ reader: borrowing LineReader
  ) throws(EvaluationError) -> Bool {
    let (kind, reason): (TrackFileWarnings.Kind, String)
    if let index = values.firstIndex(where: { !$0.isFinite }) {
      (kind, reason) = (.notFinite, "\(MOTRows.columns[index + 2]) is \(values[index])")
    } else if content == .detections, !Float(values[4]).isFinite {
      (kind, reason) = (.notFinite, "the score is too large: \(values[4])")
    } else if !(box.maxX.isFinite && box.maxY.isFinite && (values[2] * values[3]).isFinite) {
      (kind, reason) = (.notFinite, "the box is too large: \(values[2]) by \(values[3]) pixels")
    } else if values[2] < 0 || values[3] < 0 || (content == .detections && values[2] * values[3] == 0) {
      let index = values[2] < 0 || (values[2] == 0 && values[3] >= 0) ? 2 : 3
      (kind, reason) = (.noSize, "\(MOTRows.columns[index + 2]) is \(values[index])")
    } else {
      return true
    }
    guard content == .detections else { throw reader.failure(reason, remedy: "Correct or remove the line") }
    warnings.add(kind, line: reader.line, reason, "the box is left out")
    return false
  }

  private mutating func warn(of annotation: TrackAnnotation, frame: Int, line: Int) {
    if let last = frames.last, frame < last {
      warnings.add(
        .unsorted, line: line, "frame \(frame) comes after frame \(last)", "the boxes are sorted by frame")
    }
    if !(0...1).contains(annotation.score) { warnings.addScore(annotation.score, line: line) }
  }

  private func name(_ column: Int) -> String {
    column < MOTRows.columns.count ? MOTRows.columns[column] : "column \(column + 1)"
  }

  private func text(_ column: Int, _ reader: borrowing LineReader) -> String {
    LineFields.shown(reader.bytes, fields.ranges[column])
  }
}
