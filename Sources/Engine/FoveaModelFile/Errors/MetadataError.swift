// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error of a model file or its metadata that cannot be read or written.
///
/// `message` states what happened, with the actual and expected values, and `remedy` what to do next. Both
/// are one sentence without a final full stop.
public typealias MetadataError = Failure<MetadataCode>

/// The kinds of ``MetadataError``.
public struct MetadataCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = "metadata-"
  /// The code in kebab case, as results print it.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The bytes are not a TFLite model.
  ///
  /// **Remedy:** use a `.tflite` file.
  public static let notAModel = Self(rawValue: "not-a-model")
  /// The model's FlatBuffer points outside itself or contradicts itself.
  ///
  /// **Remedy:** download or export the model again.
  public static let damagedModel = Self(rawValue: "damaged-model")
  /// The metadata inside the model is broken, or breaks a rule of its schema.
  ///
  /// **Remedy:** write the metadata again, or download the model again.
  public static let damagedMetadata = Self(rawValue: "damaged-metadata")
  /// The archive of files at the end of the model is broken.
  ///
  /// **Remedy:** download or export the model again.
  public static let damagedArchive = Self(rawValue: "damaged-archive")
  /// A file in the archive has a compression method other than Deflate.
  ///
  /// **Remedy:** pack the files with `zip -0`.
  public static let compressedArchive = Self(rawValue: "compressed-archive")
  /// The file or folder does not exist, or a file named in a manifest or in the metadata is missing.
  ///
  /// **Remedy:** check the path; put the file next to the manifest.
  public static let missingFile = Self(rawValue: "missing-file")
  /// A file or folder exists but cannot be read.
  ///
  /// **Remedy:** check its permissions.
  public static let unreadable = Self(rawValue: "unreadable")
  /// A manifest, label file or archive exceeds its size limit.
  ///
  /// **Remedy:** use only the `.tflite` file, or remove files.
  public static let tooLarge = Self(rawValue: "too-large")
  /// A label file is not UTF-8 text, or has no labels.
  ///
  /// **Remedy:** use a label file: lines, pbtxt, CSV, JSON or YAML.
  public static let badLabels = Self(rawValue: "bad-labels")
  /// The model has no labels in that locale.
  ///
  /// **Remedy:** choose a locale that the message lists.
  public static let missingLocale = Self(rawValue: "missing-locale")
  /// Two counts that must be equal differ, such as those of labels and classes.
  ///
  /// **Remedy:** use a file with the number of lines that the message names.
  public static let countMismatch = Self(rawValue: "count-mismatch")
  /// A score calibration file has an invalid format.
  ///
  /// **Remedy:** write `scale,slope,offset` or four numbers per line.
  public static let badCalibration = Self(rawValue: "bad-calibration")
  /// The folder has no `.tflite` file.
  ///
  /// **Remedy:** use a model or a folder with one.
  public static let noModel = Self(rawValue: "no-model")
  /// A folder has several models or label files, so it is unclear which one is meant.
  ///
  /// **Remedy:** use the path of one of the files.
  public static let ambiguous = Self(rawValue: "ambiguous")
  /// A manifest is not JSON, or lacks a field.
  ///
  /// **Remedy:** export the model again, or correct the file.
  public static let badManifest = Self(rawValue: "bad-manifest")
  /// A manifest names a file outside its folder.
  ///
  /// **Remedy:** put the file next to the manifest.
  public static let pathEscapesFolder = Self(rawValue: "path-escapes-folder")
  /// The model cannot contain metadata, or the requested metadata cannot be written.
  ///
  /// **Remedy:** the message names the field.
  public static let cannotWrite = Self(rawValue: "cannot-write")
  /// The model has no features for a custom classifier.
  ///
  /// **Remedy:** use an image classifier that ends in a dense layer, or name one of the model's tensors.
  public static let noEmbedding = Self(rawValue: "no-embedding")
  /// The model to quantise is quantised already.
  ///
  /// **Remedy:** use the float model.
  public static let alreadyQuantized = Self(rawValue: "already-quantized")
  /// The model's graph cannot be quantised, such as one with control flow, state or several inputs.
  ///
  /// **Remedy:** the message names the reason; use a float32 model with one image input.
  public static let notQuantizable = Self(rawValue: "not-quantizable")
}

extension MetadataError {
  /// Returns the same error with its place in front, such as a file's name.
  package func prefixed(_ place: String) -> MetadataError {
    MetadataError(code, "\(place): \(message)", remedy: remedy)
  }
}
