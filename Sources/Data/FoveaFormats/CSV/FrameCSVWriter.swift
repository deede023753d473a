// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry

/// Comma-separated values with a header line: one row per object of a frame.
///
/// A frame without objects still has one row, with empty columns.
public struct FrameCSVWriter: FrameWriter {
  /// Creates a writer.
  public init() {}

  static let columns = [
    "image", "frame", "seconds", "width", "height", "orientation", "space", "detected", "objects", "id",
    "x", "y", "box_width", "box_height", "score", "label", "label_index", "label_confidence",
  ]

  /// Returns the header line with the names of the columns.
  public func header() -> String { FrameCSVWriter.columns.joined(separator: ",") + "\n" }

  /// Returns the lines of a frame.
  public func text(for record: FrameRecord) -> String {
    let start = [
      record.source, String(record.number),
      record.seconds.map { DecimalText.short($0, places: 6) } ?? "",
      record.size.map { String($0.width) } ?? "", record.size.map { String($0.height) } ?? "",
      record.orientation.name, record.space.rawValue, record.isDetected ? "1" : "0",
      String(record.objects.count),
    ]
    guard !record.objects.isEmpty else {
      let empty = [String](repeating: "", count: FrameCSVWriter.columns.count - start.count)
      return CSVFields.line(start + empty)
    }
    return record.objects.map { object in
      CSVFields.line(start + [object.trackingID.map(String.init) ?? ""] + CSVWriter.columns(of: object))
    }.joined()
  }
}

extension FrameFormat {
  /// ``FrameCSVWriter``.
  package static let csv = FrameFormat("csv", endings: ["csv"]) { _ in FrameCSVWriter() }
}
