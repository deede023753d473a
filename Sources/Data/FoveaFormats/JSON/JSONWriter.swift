// SPDX-License-Identifier: Apache-2.0

/// One JSON array of image objects, one object per line; ``JSONRecordReader`` reads it.
public struct JSONWriter: DetectionWriter {
  /// The form of masks; run lengths by default.
  public var masks = MaskForm.rle
  private var isFirst = true

  /// Creates a writer.
  public init() {}

  /// Returns the text before the first record.
  public mutating func header() -> String { "[" }

  /// Returns the lines of a record.
  public mutating func text(for record: DetectionRecord) -> String {
    defer { isFirst = false }
    return (isFirst ? "\n" : ",\n") + RecordJSON.line(for: record, masks: masks)
  }

  /// Returns the text after the last record.
  public mutating func footer() -> String { isFirst ? "]\n" : "\n]\n" }
}

extension DetectionFormat {
  /// ``JSONWriter``.
  package static let json = DetectionFormat(
    "json", endings: ["json"], isWhole: true, holdsMaps: true, shapes: ObjectShape.allCases,
    output: .file { settings in
      var writer = JSONWriter()
      writer.masks = settings.masks
      return writer
    })
}

/// One JSON object per line: the format that can be resumed and joined; ``JSONRecordReader`` reads it.
public struct JSONLinesWriter: DetectionWriter {
  /// The form of masks; run lengths by default.
  public var masks = MaskForm.rle

  /// Creates a writer.
  public init() {}

  /// Returns the line of a record.
  public mutating func text(for record: DetectionRecord) -> String {
    RecordJSON.line(for: record, masks: masks, endsLine: true)
  }
}

extension DetectionFormat {
  /// ``JSONLinesWriter``.
  package static let jsonl = DetectionFormat(
    "jsonl", endings: ["jsonl", "ndjson"], holdsMaps: true, shapes: ObjectShape.allCases,
    resumeReader: { _ in JSONLinesResumeReader() },
    output: .file { settings in
      var writer = JSONLinesWriter()
      writer.masks = settings.masks
      return writer
    })
}
