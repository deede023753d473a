// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
public import FoveaEvaluation
import FoveaGeometry

/// Reads the rows that ``CSVWriter`` writes, also after a spreadsheet has saved them.
///
/// An object has only its best label, since a row contains no others, and its times are zero.
public struct CSVReader: Sendable {
  /// Creates a reader.
  public init() {}

  /// Reads a complete text; its header shows whether it holds objects or labels.
  /// - Parameters:
  ///   - text: The bytes of the file.
  ///   - name: The name in messages.
  /// - Returns: The records in the order of the file.
  /// - Throws: `EvaluationError` `invalidLine`.
  public func read(text: [UInt8], name: String) throws(EvaluationError) -> [DetectionRecord] {
    try read(text: text, name: name, scores: .optional)
  }

  /// Reads a complete text whose scores follow a rule.
  func read(text: [UInt8], name: String, scores rule: ScoreRule) throws(EvaluationError) -> [DetectionRecord]
  {
    var records: [DetectionRecord] = []
    var kind: AnswerKind?
    var number = 0
    for line in CSVLines(text) {
      number += 1
      guard let known = kind else {
        kind = CSVHeader.kind(line)
        guard kind != nil else { throw Self.noHeader(name, number, line) }
        continue
      }
      let row = CSVFields.split(line)
      guard Self.take(row, known, into: &records) else {
        throw Self.invalid(name, number, "not a row of fovea's results")
      }
      if known == .objects, let score = Double(row[11]), let problem = rule.problem(score) {
        throw Self.invalid(name, number, problem)
      }
    }
    return records
  }

  private static func noHeader(_ name: String, _ number: Int, _ line: ArraySlice<UInt8>) -> EvaluationError {
    guard CSVHeader.hasSemicolons(line) else {
      return invalid(name, number, "not a header of fovea's results")
    }
    return EvaluationError(
      .invalidLine, "\(name) line \(number): \(CSVFields.semicolonProblem)",
      remedy: "Save it with commas between columns and decimal points in numbers")
  }

  private static func invalid(_ name: String, _ line: Int, _ reason: String) -> EvaluationError {
    EvaluationError(
      .invalidLine, "\(name) line \(line): \(reason)", remedy: "Name a file that fovea has written as csv")
  }

  /// Adds a row; returns false if it is not one.
  private static func take(_ row: [String], _ kind: AnswerKind, into records: inout [DetectionRecord]) -> Bool
  {
    guard row.count == CSVWriter.columnNames(kind).count, let width = Int(row[1]), let height = Int(row[2]),
      let orientation = Orientation(name: row[3]),
      let space = DetectionRecord.Findings.Space(rawValue: row[4]),
      let count = Int(row[CSVWriter.countColumn])
    else { return false }
    if count == 0 || row[CSVWriter.countColumn + 1] == "1" {
      records.append(
        DetectionRecord(
          name: ImageName(csv: row[0]),
          result: .success(
            DetectionRecord.Findings(
              size: PixelSize(width: width, height: height), orientation: orientation, space: space,
              content: kind == .objects ? .objects([]) : .labels([])))))
    }
    guard count > 0 else { return true }
    guard var last = records.popLast(), last.name == ImageName(csv: row[0]), var findings = last.findings
    else { return false }
    switch findings.content {
    case .objects(let objects):
      let numbers = row[7...11].compactMap(Double.init)
      let label = label(row[12...])
      guard numbers.count == 5, label != nil || row[13].isEmpty else { return false }
      findings.content = .objects(
        objects + [
          DetectedObject(
            box: BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
            score: Float(numbers[4]), labels: label.map { [$0] } ?? [])
        ])
    case .labels(let labels):
      guard let label = label(row[7...]) else { return false }
      findings.content = .labels(labels + [label])
    case .map: return false
    }
    last.result = .success(findings)
    records.append(last)
    return true
  }

  /// Returns the label in three columns: its text, index and confidence; nil if there is none.
  static func label(_ columns: ArraySlice<String>) -> Label? {
    let columns = Array(columns)
    guard let index = Int(columns[1]), let confidence = Float(columns[2]) else { return nil }
    return Label(text: columns[0].isEmpty ? nil : columns[0], index: index, confidence: confidence)
  }
}

/// The first line of a CSV text, as ``CSVWriter`` writes it or as a spreadsheet saves it: with a byte order
/// mark, `\r\n` or quotes.
enum CSVHeader {
  private static let semicolon = UInt8(ascii: ";")

  /// Returns the content of the rows below a header line; nil if it is not a header of records.
  static func kind(_ line: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ",")) -> AnswerKind? {
    let names = names(line, separator)
    return [AnswerKind.objects, .labels].first { CSVWriter.columnNames($0) == names }
  }

  /// Whether it is the header of frames.
  static func isOfFrames(_ line: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ",")) -> Bool {
    names(line, separator) == FrameCSVWriter.columns
  }

  /// Whether it is a header with semicolons, which spreadsheets write in languages with decimal commas.
  static func hasSemicolons(_ line: ArraySlice<UInt8>) -> Bool {
    kind(line, separator: semicolon) != nil || isOfFrames(line, separator: semicolon)
  }

  private static func names(_ line: ArraySlice<UInt8>, _ separator: UInt8) -> [String] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return CSVFields.split(line.starts(with: mark) ? line.dropFirst(3) : line, separator: separator)
  }
}

extension Orientation {
  /// Finds the orientation with this name in results; nil if there is none.
  init?(name: String) {
    guard let match = Orientation.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}
