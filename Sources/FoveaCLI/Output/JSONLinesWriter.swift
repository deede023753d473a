// SPDX-License-Identifier: Apache-2.0

/// One JSON object a line: the format that can be resumed and joined.
struct JSONLinesWriter: RecordWriter {
  mutating func text(for record: Record) -> String { RecordJSON.line(for: record) + "\n" }
}
