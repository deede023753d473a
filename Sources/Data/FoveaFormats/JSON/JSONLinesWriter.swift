// SPDX-License-Identifier: Apache-2.0

/// One JSON object a line: the format that can be resumed and joined; ``JSONRecordReader`` reads it.
public struct JSONLinesWriter: DetectionWriter {
  /// Makes a writer.
  public init() {}

  /// The lines of a record.
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
