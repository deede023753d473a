// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry

/// Comma-separated values with a header line: one row per object with its best label, or one row per label.
///
/// An image without results still has one row, with empty columns, so that a resumed run knows that it is
/// done; the count in each row shows whether the rows of an image are complete. Failed images have no rows.
public struct CSVWriter: DetectionWriter {
  private let kind: AnswerKind
  private let writesHeader: Bool

  /// Creates a writer.
  /// - Parameters:
  ///   - kind: The content of the records, which determines the columns.
  ///   - writesHeader: False if the text is appended to a file that has its header already; true by default.
  public init(kind: AnswerKind, writesHeader: Bool = true) {
    self.kind = kind
    self.writesHeader = writesHeader
  }

  private static let objectColumns = [
    "image", "width", "height", "orientation", "space", "objects", "object",
    "x", "y", "box_width", "box_height", "score", "label", "label_index", "label_confidence",
  ]
  private static let labelColumns = [
    "image", "width", "height", "orientation", "space", "labels", "rank",
    "label", "label_index", "label_confidence",
  ]
  /// The column with the number of rows of the image.
  static let countColumn = 5

  /// Returns the names of the columns.
  static func columnNames(_ kind: AnswerKind) -> [String] { kind == .objects ? objectColumns : labelColumns }

  /// Returns the header line with the names of the columns; empty if `writesHeader` is false.
  public mutating func header() -> String { writesHeader ? CSVFields.line(CSVWriter.columnNames(kind)) : "" }

  /// Returns the lines of a record.
  public mutating func text(for record: DetectionRecord) -> String {
    guard case .success(let findings) = record.result else { return "" }
    let start = [
      record.name.csv, String(findings.size.width), String(findings.size.height),
      findings.orientation.name, findings.space.rawValue, String(findings.count),
    ]
    let rows =
      switch findings.content {
      case .objects(let objects): objects.map(CSVWriter.columns)
      case .labels(let labels): labels.map(CSVWriter.columns)
      case .map: [[String]]()
      }
    let width = CSVWriter.columnNames(kind).count
    guard !rows.isEmpty else {
      return CSVFields.line(start + [String](repeating: "", count: width - start.count))
    }
    return rows.enumerated()
      .map { CSVFields.line(start + [String($0.offset + 1)] + $0.element) }
      .joined()
  }

  /// Returns the box, score and best label of an object.
  static func columns(of object: DetectedObject) -> [String] {
    [
      DecimalText.short(object.box.minX, places: 2), DecimalText.short(object.box.minY, places: 2),
      DecimalText.short(object.box.width, places: 2), DecimalText.short(object.box.height, places: 2),
      DecimalText.short(Double(object.score), places: 6),
    ] + (object.labels.first.map(columns) ?? ["", "", ""])
  }

  private static func columns(of label: Label) -> [String] {
    [
      label.text ?? "", String(label.index), DecimalText.short(Double(label.confidence), places: 6),
    ]
  }
}

extension DetectionFormat {
  /// ``CSVWriter``.
  package static let csv = DetectionFormat(
    "csv", endings: ["csv"], resumeReader: { CSVResumeReader(kind: $0) },
    output: .file { CSVWriter(kind: $0.kind, writesHeader: $0.writesHeader) })
}
