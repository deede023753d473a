// SPDX-License-Identifier: Apache-2.0

/// Why a model's description of itself could not be read, understood or written.
///
/// `message` says what happened with the values that were found and expected, `remedy` what to do next. Both
/// are one sentence without a final stop.
public struct MetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for code that handles some kinds itself.
  public let code: Code
  /// What happened, with actual and expected values.
  public let message: String
  /// What to do next.
  public let remedy: String

  /// Makes an error.
  public init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// The message and the remedy, as two sentences.
  public var description: String { "\(message). \(remedy)." }

  /// The same error with where it happened put in front, for example a file's name.
  package func prefixed(_ place: String) -> MetadataError {
    MetadataError(code, "\(place): \(message)", remedy: remedy)
  }
}

extension MetadataError {
  /// The kind of a `MetadataError`; kinds are added over time.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private let text: String

    private init(_ text: String) { self.text = text }

    /// The code in kebab case, for example `damaged-model`.
    public var description: String { text }

    /// The bytes are no TFLite model.
    public static let notAModel = Code("not-a-model")
    /// The model's FlatBuffer points outside itself or contradicts itself.
    public static let damagedModel = Code("damaged-model")
    /// The metadata inside the model is broken, or breaks a rule of its schema.
    public static let damagedMetadata = Code("damaged-metadata")
    /// The archive at the end of the model is broken.
    public static let damagedArchive = Code("damaged-archive")
    /// The archive at the end of the model is compressed; only stored entries are read.
    public static let compressedArchive = Code("compressed-archive")
    /// A file that something names does not exist.
    public static let missingFile = Code("missing-file")
    /// A file or folder exists but cannot be read.
    public static let unreadable = Code("unreadable")
    /// Something is larger than its limit.
    public static let tooLarge = Code("too-large")
    /// A label file is not text, or is empty.
    public static let badLabels = Code("bad-labels")
    /// There are no labels in the locale that was asked for.
    public static let missingLocale = Code("missing-locale")
    /// Two things that must be equally many are not.
    public static let countMismatch = Code("count-mismatch")
    /// A score calibration file breaks its format.
    public static let badCalibration = Code("bad-calibration")
    /// A folder holds no model.
    public static let noModel = Code("no-model")
    /// A folder holds several models or label files, so it is not clear which is meant.
    public static let ambiguous = Code("ambiguous")
    /// A manifest is not JSON or lacks something.
    public static let badManifest = Code("bad-manifest")
    /// A manifest names a file outside its own folder.
    public static let pathEscapesFolder = Code("path-escapes-folder")
    /// The model cannot carry metadata, or the metadata asked for cannot be written.
    public static let cannotWrite = Code("cannot-write")
  }
}
