// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaMetadata

/// The conversion of a classifier's numbers to confidences, 0…1, and the reason for it.
public struct ConfidenceReading: Sendable, Hashable {
  /// The source of the decision.
  public enum Source: Sendable, Hashable {
    /// The caller.
    case option
    /// The model: its graph ends in a sigmoid or a softmax, its tensor can hold only 0…1, or its metadata
    /// calibrate the scores.
    case model
    /// An assumption, as the graph ends in a layer without an activation: a softmax, or a sigmoid for one
    /// number with two labels.
    case assumed
    /// The values, as not even the end of the graph is known: numbers that are all 0…1 are used unchanged.
    /// Others get a softmax if each number has a label, and are an error otherwise.
    case values
  }

  /// The activation to apply; with `Source.values`, only if the numbers are not probabilities.
  public let activation: ScoreActivation
  /// The source of the decision.
  public let source: Source
  /// The number of values that the model returns.
  package let columns: Int
  /// Whether the only number is the probability of the second of two classes (a binary classifier).
  package let isBinary: Bool
  /// Whether the metadata calibrate the numbers, which need not be probabilities before.
  package let isCalibrated: Bool

  /// The number of classes that have a confidence.
  public var classCount: Int { isBinary ? 2 : columns }

  /// Whether each number has a label, which shows that they are classes and not measured values.
  package let isLabeled: Bool

  /// The rounding tolerance of confidences outside 0…1.
  private static let rounding: Float = 0.011

  /// Decides how to convert a model's numbers.
  /// - Parameters:
  ///   - head: The model's output.
  ///   - modelName: The model's name in error messages.
  ///   - asked: The caller's activation; takes precedence over everything else.
  ///   - end: The last operation of the graph for the output; nil if it is unknown.
  ///   - labelCount: The number of labels that came with the model; nil if there are none.
  ///   - isCalibrated: Whether the metadata calibrate the scores.
  /// - Throws: `notAClassifier` for a vector of unit length, and for a single number without a sigmoid and
  ///   without two labels.
  public init(
    _ head: ClassifierHead, modelName: String, asked: ScoreActivation?, end: OutputActivation?,
    labelCount: Int?, isCalibrated: Bool
  ) throws(LabelingError) {
    columns = head.classCount
    self.isCalibrated = isCalibrated
    isBinary = head.classCount == 1 && labelCount == 2
    isLabeled = labelCount == head.classCount
    if let asked {
      guard asked != .softmax || head.classCount > 1 else {
        throw LabelingError(
          .notAClassifier, "'\(modelName)' outputs one number, and a softmax turns any single number into 1",
          remedy:
            "Give \(option: "activation", "sigmoid") if the number is a logit, or none if it is a probability"
        )
      }
      (activation, source) = (asked, .option)
    } else if isCalibrated || end == .sigmoid || end == .softmax || head.holdsProbabilities {
      (activation, source) = (.none, .model)
    } else if end == .unitLength {
      throw LabelingError(
        .notAClassifier,
        "'\(modelName)' is not an image classifier: it outputs a vector of unit length (an embedding),"
          + " not scores",
        remedy:
          "Use a model that ends in a softmax or a sigmoid, or set the activation (\(option: "activation"))"
          + " if these are scores"
      )
    } else if head.classCount > 1 {
      (activation, source) = (.softmax, end == .linear ? .assumed : .values)
    } else if isBinary, end == .linear {
      (activation, source) = (.sigmoid, .assumed)
    } else if !isBinary {
      throw LabelingError(
        .notAClassifier,
        "'\(modelName)' is not an image classifier: it outputs one number without a sigmoid,"
          + " as a regression does",
        remedy:
          "If the number is a logit, give \(option: "activation", "sigmoid"), or the labels of its two"
          + " classes (\(option: "labels"))"
      )
    } else {
      (activation, source) = (.none, .values)
    }
  }

  /// Returns the assumption, as sentences without a full stop at the end; nil if there is none.
  public func assumption(modelName: String) -> Advice? {
    let remedy: Advice =
      "Set the activation of its scores (\(option: "activation"): none, sigmoid or softmax)"
    return switch source {
    case .option, .model: nil
    case .assumed:
      "'\(modelName)' ends in raw scores (logits); a \(activation.rawValue) is assumed. \(remedy)"
    case .values where columns > 1 && !isLabeled:
      "'\(modelName)' does not declare what its numbers are; they are used unchanged as long as all are"
        + " 0 to 1. \(remedy)"
    case .values where columns > 1:
      "'\(modelName)' does not declare what its scores are; if all are 0 to 1, they are used unchanged,"
        + " otherwise a softmax is applied. \(remedy)"
    case .values: nil
    }
  }

  /// Turns the model's numbers into confidences, in place; a binary classifier's one number becomes two.
  ///
  /// - Parameters:
  ///   - scores: The numbers of one image.
  ///   - modelName: The model's name in error messages.
  ///   - calibration: The calibration in the metadata.
  /// - Throws: `invalidOutput` if a confidence is outside 0…1, or a number is NaN or infinite, except for a
  ///   logit of minus infinity.
  /// - Complexity: O(scores).
  public func apply(
    to scores: inout [Float], modelName: String, calibration: ScoreCalibration? = nil
  ) throws(LabelingError) {
    guard scores.isEmpty || !scores.allSatisfy(\.isNaN) else {
      throw LabelingError(
        .invalidOutput, "'\(modelName)' returned no number at all (NaN)", remedy: Self.noNumberRemedy)
    }
    // A sigmoid and a calibration could make a confidence of these.
    if let index = scores.firstIndex(where: { !isScore($0, areLogits: true) }) {
      throw invalid(scores[index], index, modelName)
    }
    let areScores = source != .values || isLabeled || columns == 1
    if areScores, source != .values || !scores.allSatisfy(Self.isConfidence) {
      activation.apply(to: &scores)
    }
    calibration?.apply(to: &scores)
    for index in scores.indices {
      guard Self.isConfidence(scores[index]) else { throw invalid(scores[index], index, modelName) }
      scores[index] = min(max(scores[index], 0), 1)
    }
    if isBinary, let score = scores.first { scores = [1 - score, score] }
  }

  private static let noNumberRemedy: Advice =
    "Give the normalisation it was trained with (\(option: "normalize", "MEAN,STD")), or check the model with"
    + " the tool that exported it"

  /// Returns the remedy for numbers about which nothing is known.
  package static func declaration(of columns: Int) -> Advice {
    """
    If these are classes, give their \(columns) labels (\(option: "labels")) or set the activation \
    (\(option: "activation"): softmax for logits, sigmoid if several classes may be true at once); \
    a model that measures something is not a classifier
    """
  }

  private static func isConfidence(_ score: Float) -> Bool { score >= -rounding && score <= 1 + rounding }

  private func invalid(_ score: Float, _ index: Int, _ modelName: String) -> LabelingError {
    let remedy: Advice =
      switch (source, isCalibrated) {
      case _ where score.isNaN && !isCalibrated: Self.noNumberRemedy
      case (_, true): "Write the calibration again: \(term: .addMetadata())"
      case (.option, _) where activation == .none && columns > 1:
        "Give \(option: "activation", "softmax"), or sigmoid if several classes may be true at once"
      case (.values, _) where columns > 1 && !isLabeled: Self.declaration(of: columns)
      case (_, _) where columns == 1:
        "Give \(option: "activation", "sigmoid") if it is a classifier of two classes;"
          + " a model that measures something is not a classifier"
      default:
        "Check the model with the tool that exported it: a classifier outputs confidences or finite logits"
      }
    return LabelingError(
      .invalidOutput,
      "'\(modelName)' returned \(score) as the confidence of class \(index), expected 0 to 1", remedy: remedy)
  }
}
