// SPDX-License-Identifier: Apache-2.0

/// Converts records to the text of one format, and keeps the state between records that the format needs.
///
/// The text of a file is ``header()``, the text of each record in order, and ``footer()``.
public protocol DetectionWriter: Sendable {
  /// Returns the text before the first record.
  mutating func header() -> String
  /// Returns the complete lines of a record; empty if the format has nothing for it.
  mutating func text(for record: DetectionRecord) -> String
  /// Returns the text after the last record.
  mutating func footer() -> String
  /// Notes to show at the end, one line each.
  var notes: [String] { get }
}

extension DetectionWriter {
  /// Returns an empty text by default.
  public mutating func header() -> String { "" }
  /// Returns an empty text by default.
  public mutating func footer() -> String { "" }
  /// Empty by default.
  public var notes: [String] { [] }

  /// Returns the complete text of a file.
  /// - Parameter records: The records, in the order of the file.
  /// - Returns: Header, records and footer.
  public mutating func text(of records: some Sequence<DetectionRecord>) -> String {
    var text = header()
    for record in records { text += self.text(for: record) }
    return text + footer()
  }
}

/// The content of results, which determines their columns and keys.
public enum AnswerKind: Sendable {
  /// Boxes from a detector.
  case objects
  /// Labels from a labeler.
  case labels
  /// Maps from a segmenter.
  case maps
}
