// SPDX-License-Identifier: Apache-2.0

/// Why figures cannot be computed.
public struct EvaluationError: Error, Sendable, Hashable {
  /// The kind of failure; more kinds may come, so compare with `==` instead of switching.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case unreadable
      case notJSON = "not-json"
      case invalidGroundTruth = "invalid-ground-truth"
      case invalidDetections = "invalid-detections"
      case unknownIDs = "unknown-ids"
      case optionInvalid = "option-invalid"
      case invalidLine = "invalid-line"
      case duplicateIdentity = "duplicate-identity"
      case invalidSequenceInfo = "invalid-sequence-info"
      case sequenceMismatch = "sequence-mismatch"
      case tooManyBoxes = "too-many-boxes"
    }
    private let kind: Kind

    /// A file cannot be opened or read.
    public static let unreadable = Code(kind: .unreadable)
    /// The bytes are not JSON; the message names line, column and offset.
    public static let notJSON = Code(kind: .notJSON)
    /// The ground truth lacks a value, or has one that cannot be: a negative width, an area that is not finite.
    public static let invalidGroundTruth = Code(kind: .invalidGroundTruth)
    /// The detections lack a value, or have one that cannot be.
    public static let invalidDetections = Code(kind: .invalidDetections)
    /// Detections belong to images or categories that the ground truth does not list.
    public static let unknownIDs = Code(kind: .unknownIDs)
    /// An option is out of its range.
    public static let optionInvalid = Code(kind: .optionInvalid)

    /// A line of a MOT or KITTI file lacks a column, or has a number that cannot be; the message names the line.
    public static let invalidLine = Code(kind: .invalidLine)
    /// An identity is twice in one frame; the message names both lines.
    public static let duplicateIdentity = Code(kind: .duplicateIdentity)
    /// A `seqinfo.ini` lacks a value, or has one that cannot be.
    public static let invalidSequenceInfo = Code(kind: .invalidSequenceInfo)
    /// Results and ground truth are not of the same sequence: frames beyond its end, results that are missing.
    public static let sequenceMismatch = Code(kind: .sequenceMismatch)
    /// The boxes of a frame overlap in more ways than can be compared.
    public static let tooManyBoxes = Code(kind: .tooManyBoxes)

    /// The code as results print it, in kebab case.
    public var description: String { kind.rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, with actual and expected values: one sentence without a final stop.
  public var message: String
  /// What to do next: one sentence without a final stop.
  public var remedy: String

  init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}

extension EvaluationError: CustomStringConvertible {
  /// Message and remedy as two sentences.
  public var description: String { "\(message). \(remedy)." }
}
