// SPDX-License-Identifier: Apache-2.0

/// One JSON array of image objects, one object a line.
struct JSONWriter: RecordWriter {
  private var isFirst = true

  mutating func header() -> String { "[" }

  mutating func text(for record: Record) -> String {
    defer { isFirst = false }
    return (isFirst ? "\n" : ",\n") + RecordJSON.line(for: record)
  }

  mutating func footer() -> String { isFirst ? "]\n" : "\n]\n" }
}
