// SPDX-License-Identifier: Apache-2.0

/// Turns the output tensors of one model into detections.
public protocol DetectionDecoder: Sendable {
  /// The family that the decoder reads.
  var family: DetectorFamily { get }
  /// The most detections that the model itself can answer.
  var maximumDetections: Int { get }
  /// Whether the model distinguishes classes.
  var hasClasses: Bool { get }
  /// The number of classes; nil where the outputs do not show it.
  var classCount: Int? { get }

  /// The names of the classes where the family itself fixes them; nil where a label file has to.
  var classNames: [String]? { get }
  /// How the model wants its image, where neither the caller nor the model's metadata say otherwise.
  var input: DetectorInput { get }
  /// The threshold of the family's own programs where it is not the usual one; nil takes the usual one.
  var defaultThreshold: Float? { get }
  /// What the decoder takes for granted because the model does not say it: sentences without a final stop.
  var assumptions: [Advice] { get }

  /// Decodes one answer.
  /// - Parameters:
  ///   - outputs: Every output of the model as real numbers, in the order of its signature, row-major.
  ///   - threshold: The lowest score of a detection; a score that equals it is kept.
  ///   - limit: The most detections.
  /// - Returns: The detections by falling score, ties in the model's order; boxes are upright fractions of the input.
  /// - Throws: `invalidOutput` when the values contradict the family.
  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection]
}

extension DetectionDecoder {
  /// Nil: the outputs of most families do not show it.
  public var classCount: Int? { nil }
  /// Nil: most families have models of any classes.
  public var classNames: [String]? { nil }
  /// The image that all models of the family want.
  public var input: DetectorInput { family.input }
  /// Nil: the usual threshold.
  public var defaultThreshold: Float? { nil }
  /// None: the outputs of most families say all that is needed.
  public var assumptions: [Advice] { [] }
}
