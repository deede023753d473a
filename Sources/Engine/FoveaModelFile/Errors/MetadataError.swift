// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// Why a model's description of itself could not be read, understood or written.
///
/// `message` says what happened with the values that were found and expected, `remedy` what to do next. Both
/// are one sentence without a final stop.
public typealias MetadataError = Failure<MetadataCode>

/// The kinds of ``MetadataError``.
public struct MetadataCode: FailureCode {
  /// What stands before the code in a `FoveaError`.
  public static let domain = "metadata-"
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Makes a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The bytes are no TFLite model.
  ///
  /// **Remedy:** give a `.tflite` file.
  public static let notAModel = Self(rawValue: "not-a-model")
  /// The model's FlatBuffer points outside itself or contradicts itself.
  ///
  /// **Remedy:** get the model again.
  public static let damagedModel = Self(rawValue: "damaged-model")
  /// The metadata inside the model is broken, or breaks a rule of its schema.
  ///
  /// **Remedy:** write them again, or get the model again.
  public static let damagedMetadata = Self(rawValue: "damaged-metadata")
  /// The archive of files at the model's end is broken.
  ///
  /// **Remedy:** get the model again.
  public static let damagedArchive = Self(rawValue: "damaged-archive")
  /// A file in the archive is compressed by another method than Deflate.
  ///
  /// **Remedy:** pack the files with `zip -0`.
  public static let compressedArchive = Self(rawValue: "compressed-archive")
  /// There is no such file or folder, or a file that a manifest or the metadata name is missing.
  ///
  /// **Remedy:** check the path; put the file next to the manifest.
  public static let missingFile = Self(rawValue: "missing-file")
  /// A file or folder exists and cannot be read.
  ///
  /// **Remedy:** check its permissions.
  public static let unreadable = Self(rawValue: "unreadable")
  /// A manifest, label file or archive is beyond its limit.
  ///
  /// **Remedy:** give the `.tflite` file alone, or take files out.
  public static let tooLarge = Self(rawValue: "too-large")
  /// A label file is not UTF-8 text, or has no label.
  ///
  /// **Remedy:** give a file of labels: lines, pbtxt, CSV, JSON or YAML.
  public static let badLabels = Self(rawValue: "bad-labels")
  /// The model has no labels in that locale.
  ///
  /// **Remedy:** ask for one that the message lists.
  public static let missingLocale = Self(rawValue: "missing-locale")
  /// Two things that must be equally many are not, labels and classes for instance.
  ///
  /// **Remedy:** give a file with the number of lines that the message names.
  public static let countMismatch = Self(rawValue: "count-mismatch")
  /// A score calibration file breaks its format.
  ///
  /// **Remedy:** write `scale,slope,offset` or four numbers a line.
  public static let badCalibration = Self(rawValue: "bad-calibration")
  /// The folder has no `.tflite` file.
  ///
  /// **Remedy:** give a model or a folder with one.
  public static let noModel = Self(rawValue: "no-model")
  /// A folder holds several models or label files, so it is not clear which is meant.
  ///
  /// **Remedy:** give the path of one of them.
  public static let ambiguous = Self(rawValue: "ambiguous")
  /// A manifest is not JSON, or lacks something.
  ///
  /// **Remedy:** export the model again, or correct the file.
  public static let badManifest = Self(rawValue: "bad-manifest")
  /// A manifest names a file outside its folder.
  ///
  /// **Remedy:** put the file next to the manifest.
  public static let pathEscapesFolder = Self(rawValue: "path-escapes-folder")
  /// The model cannot carry metadata, or the metadata asked for cannot be written.
  ///
  /// **Remedy:** the message names the field.
  public static let cannotWrite = Self(rawValue: "cannot-write")
  /// The model has no numbers that a classifier of one's own can be put on.
  ///
  /// **Remedy:** take an image classifier that ends in a dense layer, or name one of the model's tensors.
  public static let noEmbedding = Self(rawValue: "no-embedding")
}

extension MetadataError {
  /// The same error with where it happened put in front, for example a file's name.
  package func prefixed(_ place: String) -> MetadataError {
    MetadataError(code, "\(place): \(message)", remedy: remedy)
  }
}
