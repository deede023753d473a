// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Turns the output tensors of one model into detections.
public protocol DetectionDecoder: Sendable {
  /// The family that the decoder handles.
  var family: DetectorFamily { get }
  /// The largest number of detections that the model itself can return.
  var maximumDetections: Int { get }
  /// Whether the model distinguishes classes.
  var hasClasses: Bool { get }
  /// The places that each detection has besides its box; nil for boxes only.
  var detail: DetectionDetail? { get }
  /// The names and edges of the keypoints; nil for families without keypoints, and if nothing shows what the
  /// points are.
  var keypointSet: KeypointSet? { get }
  /// The number of classes; nil if the outputs do not show it.
  var classCount: Int? { get }

  /// The class names, if the family fixes them; nil if they come from a label file.
  var classNames: [String]? { get }
  /// The input that the model expects, unless the caller or the model's metadata override it.
  var input: DetectorInput { get }
  /// The threshold that the family's own programs use; nil for the usual one.
  var defaultThreshold: Float? { get }
  /// The assumptions about facts that the model does not declare: sentences without a full stop at the end.
  var assumptions: [Advice] { get }

  /// Decodes the outputs of one run.
  /// - Parameters:
  ///   - outputs: All outputs of the model as real numbers, in the order of its signature, row-major.
  ///   - threshold: The lowest score of a detection, inclusive.
  ///   - limit: The largest number of detections to return.
  /// - Returns: The detections by descending score, ties in the model's order; boxes are upright, in
  ///   fractions of the input.
  /// - Throws: `invalidOutput` if the values contradict the family.
  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection]
}

/// The places of an object that a model finds besides its box.
public enum DetectionDetail: String, Sendable, Hashable, CaseIterable {
  /// The object's shape: `Detection.mask`.
  case masks
  /// The box at the object's angle: `Detection.orientedBox`.
  case orientedBoxes = "rotated boxes"
  /// Points on the object: `Detection.keypoints`.
  case keypoints
}

extension DetectionDecoder {
  /// True: a class-agnostic detector has one class without a name.
  public var hasClasses: Bool { true }
  /// Nil: most families find no keypoints.
  public var keypointSet: KeypointSet? { nil }
  /// Nil: most families find boxes only.
  public var detail: DetectionDetail? { nil }
  /// Nil: the outputs of most families do not show the number of classes.
  public var classCount: Int? { nil }
  /// Those that all models of the family have.
  public var classNames: [String]? { family.classNames }
  /// The input that all models of the family expect.
  public var input: DetectorInput { family.input }
  /// That of the family; nil for the usual one.
  public var defaultThreshold: Float? { family.threshold }
  /// Empty: for most families nothing has to be assumed.
  public var assumptions: [Advice] { [] }
  /// The family with the same outputs, but another image, that only the caller can name; nil if there is
  /// none.
  package var twin: DetectorFamily? { family.twin(classCount).flatMap { DetectorFamily(name: $0) } }
}
