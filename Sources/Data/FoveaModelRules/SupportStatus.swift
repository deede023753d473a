// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaMetadata
import FoveaRuntime

/// The number with which TensorFlow Lite's Task Library, and so ML Kit, refuses a model.
///
/// **Source:** `TfLiteSupportStatus` in TensorFlow Lite Support, `cc/common.h`.
public struct SupportStatus: RawRepresentable, Sendable, Hashable {
  /// The number.
  public let rawValue: Int

  /// Creates a status from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// An argument or an option that cannot be used.
  public static let invalidArgument = SupportStatus(rawValue: 2)
  /// The bytes are not a TFLite model, or the model is damaged.
  public static let invalidFlatBuffer = SupportStatus(rawValue: 3)
  /// An operator that the runtime does not have in this version.
  public static let unsupportedBuiltinOperator = SupportStatus(rawValue: 4)
  /// A custom operator that the runtime does not have.
  public static let unsupportedCustomOperator = SupportStatus(rawValue: 5)
  /// The file does not exist.
  public static let fileNotFound = SupportStatus(rawValue: 100)
  /// The file or its folder cannot be read for lack of permission.
  public static let filePermission = SupportStatus(rawValue: 101)
  /// The file cannot be read: empty, a folder, a device.
  public static let fileRead = SupportStatus(rawValue: 102)
  /// The schema of the metadata is unknown.
  public static let invalidMetadataSchema = SupportStatus(rawValue: 200)
  /// The metadata names a file that the model does not contain.
  public static let associatedFileNotFound = SupportStatus(rawValue: 201)
  /// The archive of files at the model's end is broken or compressed.
  public static let associatedFileArchive = SupportStatus(rawValue: 202)
  /// The metadata contradict the model: other numbers of tensors or labels.
  public static let metadataInconsistency = SupportStatus(rawValue: 203)
  /// A normalisation with wrong numbers, or two steps of one kind.
  public static let invalidProcessUnits = SupportStatus(rawValue: 204)
  /// The numbers of class names and display names differ.
  public static let labelCountMismatch = SupportStatus(rawValue: 205)
  /// The score calibration is broken.
  public static let malformedScoreCalibration = SupportStatus(rawValue: 206)
  /// The metadata describes no subgraph, or several.
  public static let invalidSubgraphCount = SupportStatus(rawValue: 207)
  /// A float32 input without a normalisation.
  public static let missingNormalization = SupportStatus(rawValue: 208)
  /// A tensor's content is not of the required kind.
  public static let invalidContentProperties = SupportStatus(rawValue: 209)
  /// The model contains no metadata but needs some.
  public static let metadataNotFound = SupportStatus(rawValue: 210)
  /// Labels are required but missing.
  public static let missingLabels = SupportStatus(rawValue: 211)
  /// The model does not have exactly one input.
  public static let invalidInputCount = SupportStatus(rawValue: 300)
  /// The input has another shape than [1, height, width, 3].
  public static let invalidInputDimensions = SupportStatus(rawValue: 301)
  /// The input is neither uint8 nor float32.
  public static let invalidInputType = SupportStatus(rawValue: 302)
  /// The input's size in bytes does not match its pixels.
  public static let invalidInputSize = SupportStatus(rawValue: 303)
  /// An output does not have the shape of a classifier's.
  public static let invalidOutputDimensions = SupportStatus(rawValue: 400)
  /// An output is neither uint8 nor float32.
  public static let invalidOutputType = SupportStatus(rawValue: 401)
  /// The task requires another number of outputs.
  public static let invalidOutputCount = SupportStatus(rawValue: 403)
}

extension SupportStatus {
  /// Creates the status of a model that cannot be opened; nil for other failures, such as an invalid option.
  ///
  /// - Parameter error: The error of opening the model.
  public init?(_ error: FoveaError) {
    let status: SupportStatus? =
      switch error.code {
      case MetadataCode.missingFile, MetadataCode.noModel: .fileNotFound
      case MetadataCode.unreadable: .filePermission
      case RuntimeCode.modelUnreadable:
        error.message.hasSuffix("Permission denied") ? .filePermission : .fileRead
      case MetadataCode.ambiguous, MetadataCode.badManifest, MetadataCode.pathEscapesFolder,
        MetadataCode.tooLarge:
        .invalidArgument
      case RuntimeCode.modelInvalid, MetadataCode.notAModel, MetadataCode.damagedModel: .invalidFlatBuffer
      case MetadataCode.damagedMetadata: .invalidMetadataSchema
      case MetadataCode.damagedArchive, MetadataCode.compressedArchive: .associatedFileArchive
      case RuntimeCode.modelUnsupported: .unsupportedBuiltinOperator
      default: nil
      }
    guard let status else { return nil }
    self = status
  }
}
