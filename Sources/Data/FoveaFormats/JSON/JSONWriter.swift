// SPDX-License-Identifier: Apache-2.0

/// One JSON array of image objects, one object per line; ``JSONRecordReader`` reads it.
public struct JSONWriter: DetectionWriter {
  private var isFirst = true

  /// Creates a writer.
  public init() {}

  /// Returns the text before the first record.
  public mutating func header() -> String { "[" }

  /// Returns the lines of a record.
  public mutating func text(for record: DetectionRecord) -> String {
    defer { isFirst = false }
    return (isFirst ? "\n" : ",\n") + RecordJSON.line(for: record)
  }

  /// Returns the text after the last record.
  public mutating func footer() -> String { isFirst ? "]\n" : "\n]\n" }
}

extension DetectionFormat {
  /// ``JSONWriter``.
  public static let json = DetectionFormat(
    "json", endings: ["json"], isWhole: true, output: .file { _ in JSONWriter() })
}

/// One JSON object per line: the format that can be resumed and joined; ``JSONRecordReader`` reads it.
public struct JSONLinesWriter: DetectionWriter {
  /// Creates a writer.
  public init() {}

  /// Returns the line of a record.
  public mutating func text(for record: DetectionRecord) -> String {
    RecordJSON.line(for: record, endsLine: true)
  }
}

extension DetectionFormat {
  /// ``JSONLinesWriter``.
  public static let jsonl = DetectionFormat(
    "jsonl", endings: ["jsonl", "ndjson"], resumeReader: { _ in JSONLinesResumeReader() },
    output: .file { _ in JSONLinesWriter() })
}
