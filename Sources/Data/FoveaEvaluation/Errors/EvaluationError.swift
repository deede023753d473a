// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// A reason why figures cannot be computed.
public typealias EvaluationError = Failure<EvaluationCode>

/// The kinds of ``EvaluationError``.
public struct EvaluationCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = "evaluation-"
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Creates a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The code in a `FoveaError`, without a prefix for an option, which does not concern only evaluations.
  public var qualified: String { self == .optionInvalid ? rawValue : Self.domain + rawValue }

  /// The ground truth, the detections or the results cannot be opened or read.
  ///
  /// **Remedy:** check path and permissions.
  public static let unreadable = Self(rawValue: "unreadable")
  /// A file is not JSON; the message names line, column and byte.
  ///
  /// **Remedy:** write the file again, or correct it at that position.
  public static let notJSON = Self(rawValue: "not-json")
  /// The ground truth lacks a value or has an invalid one: a negative width, an area that is not finite.
  ///
  /// **Remedy:** correct the entry that the message names.
  public static let invalidGroundTruth = Self(rawValue: "invalid-ground-truth")
  /// A detection lacks a value, or has a negative size or a number that is not finite.
  ///
  /// **Remedy:** correct the tool that wrote it.
  public static let invalidDetections = Self(rawValue: "invalid-detections")
  /// Detections are on images or of categories that the ground truth does not list.
  ///
  /// **Remedy:** name the right ground truth, or use `--ignore-unknown`.
  public static let unknownIDs = Self(rawValue: "unknown-ids")
  /// An option is out of its range.
  ///
  /// **Remedy:** use a value in the range that the message states.
  public static let optionInvalid = Self(rawValue: "option-invalid")
  /// A line of a MOT or KITTI file lacks a column, or has an invalid number; the message names the line.
  ///
  /// **Remedy:** correct the line, or name the right file.
  public static let invalidLine = Self(rawValue: "invalid-line")
  /// An identity occurs twice in one frame; the message names both lines.
  ///
  /// **Remedy:** give each object of a frame its own identity.
  public static let duplicateIdentity = Self(rawValue: "duplicate-identity")
  /// A `seqinfo.ini` has an invalid entry; the message names the line.
  ///
  /// **Remedy:** correct the entry.
  public static let invalidSequenceInfo = Self(rawValue: "invalid-sequence-info")
  /// Results and ground truth are not of the same sequence: frames after its end, or missing results.
  ///
  /// **Remedy:** name the files that belong together, or choose with `--sequences`.
  public static let sequenceMismatch = Self(rawValue: "sequence-mismatch")
  /// Too many boxes of one frame overlap.
  ///
  /// **Remedy:** leave out boxes with low scores.
  public static let tooManyBoxes = Self(rawValue: "too-many-boxes")
  /// A label of the photos is not one of the classifier's labels.
  ///
  /// **Remedy:** rename the folder to the label in the message, or give `--map` a file with both names.
  public static let unknownLabel = Self(rawValue: "unknown-label")
  /// A file of names has a line without two names, or a name with two labels.
  ///
  /// **Remedy:** write a line `class,label` for each name.
  public static let invalidMap = Self(rawValue: "invalid-map")
  /// The predictions of a file are for other photos than the evaluated ones.
  ///
  /// **Remedy:** label the same folder from the same working folder.
  public static let photosMismatch = Self(rawValue: "photos-mismatch")
  /// A map or photo and its ground truth do not belong together: one is missing, or their sizes differ.
  ///
  /// **Remedy:** name folders whose files have the same names and sizes.
  package static let mapsMismatch = Self(rawValue: "maps-mismatch")
}
