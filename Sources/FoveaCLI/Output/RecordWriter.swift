// SPDX-License-Identifier: Apache-2.0

/// One output format: turns records into text, and keeps what the format needs between two of them.
protocol RecordWriter {
  /// What comes before the first record.
  mutating func header() -> String
  /// The whole lines of a record; empty where the format has nothing to say of it.
  mutating func text(for record: Record) -> String
  /// What comes after the last record.
  mutating func footer() -> String
  /// What the user should know at the end, one line each.
  var notes: [String] { get }
}

extension RecordWriter {
  mutating func header() -> String { "" }
  mutating func footer() -> String { "" }
  var notes: [String] { [] }
}

/// What a command answers: decides columns and keys.
enum AnswerKind: Sendable {
  case objects, labels
}
