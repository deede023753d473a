// SPDX-License-Identifier: Apache-2.0

/// A file named in the metadata, in the archive at the end of the model.
public struct AssociatedFile: Sendable, Hashable {
  /// The purpose of a file.
  ///
  /// The raw values are those of `AssociatedFileType` in TFLite's `metadata_schema.fbs`; values from newer
  /// schemas are kept.
  public struct Kind: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The number in the schema.
    public var rawValue: UInt8

    /// Creates a kind from the number in the schema.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// An unknown purpose.
    public static let unknown = Kind(rawValue: 0)
    /// Text for human readers.
    public static let descriptions = Kind(rawValue: 1)
    /// One label per position along an axis of the tensor: a classifier's classes.
    public static let axisLabels = Kind(rawValue: 2)
    /// One label per value of the tensor: a detector's classes.
    public static let valueLabels = Kind(rawValue: 3)
    /// One line of calibration per class, see `ScoreCalibration`.
    public static let axisScoreCalibration = Kind(rawValue: 4)
    /// A vocabulary of a text model.
    public static let vocabulary = Kind(rawValue: 5)
    /// An index of a retrieval model.
    public static let scannIndex = Kind(rawValue: 6)

    private static let names = [
      "UNKNOWN", "DESCRIPTIONS", "TENSOR_AXIS_LABELS", "TENSOR_VALUE_LABELS", "TENSOR_AXIS_SCORE_CALIBRATION",
      "VOCABULARY", "SCANN_INDEX_FILE",
    ]

    /// The name in the schema, such as `TENSOR_AXIS_LABELS`.
    public var description: String {
      Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "TYPE_\(rawValue)"
    }
  }

  /// The file's name in the archive.
  public var name: String
  /// The description of the file.
  public var description: String?
  /// The purpose of the file.
  public var kind: Kind
  /// The language of the text, such as `en` or `en-US`; nil for labels that are class names.
  public var locale: String?
  /// The version of the file's format or content.
  public var version: String?

  /// Creates a description of a file.
  public init(
    name: String, kind: Kind, locale: String? = nil, description: String? = nil, version: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.locale = locale
    self.description = description
    self.version = version
  }
}
