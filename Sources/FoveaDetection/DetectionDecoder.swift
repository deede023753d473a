// SPDX-License-Identifier: Apache-2.0

/// Turns the output tensors of one model into detections.
public protocol DetectionDecoder: Sendable {
  /// The family that the decoder reads.
  var family: DetectorFamily { get }
  /// The most detections that the model itself can answer.
  var maximumDetections: Int { get }
  /// Whether the model tells classes apart.
  var hasClasses: Bool { get }
  /// The number of classes; nil where the outputs do not tell.
  var classCount: Int? { get }

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
  /// Nil: the outputs of most families do not tell.
  public var classCount: Int? { nil }
}
