// SPDX-License-Identifier: Apache-2.0

/// Turns records into the text of one format, and keeps what the format needs between two of them.
///
/// The text of a file is ``header()``, the text of each record in turn, and ``footer()``; ``DetectionFormat/all`` lists the
/// formats.
public protocol DetectionWriter: Sendable {
  /// What comes before the first record.
  mutating func header() -> String
  /// The whole lines of a record; empty where the format has nothing for it.
  mutating func text(for record: DetectionRecord) -> String
  /// What comes after the last record.
  mutating func footer() -> String
  /// What the user should know at the end, one line each.
  var notes: [String] { get }
}

extension DetectionWriter {
  /// Nothing, by default.
  public mutating func header() -> String { "" }
  /// Nothing, by default.
  public mutating func footer() -> String { "" }
  /// Nothing, by default.
  public var notes: [String] { [] }

  /// The whole text of a file.
  /// - Parameter records: The records, in the order of the file.
  /// - Returns: Header, records and footer.
  public mutating func text(of records: some Sequence<DetectionRecord>) -> String {
    var text = header()
    for record in records { text += self.text(for: record) }
    return text + footer()
  }
}

/// What results hold, which decides their columns and keys.
public enum AnswerKind: Sendable {
  /// Boxes, of a detector.
  case objects
  /// Labels, of a labeler.
  case labels
}
