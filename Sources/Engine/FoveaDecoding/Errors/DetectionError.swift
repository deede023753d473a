// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error if a model cannot serve as a detector or its output cannot be read.
public typealias DetectionError = Failure<DetectionCode>

/// The kinds of ``DetectionError``.
public struct DetectionCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Creates a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The outputs match no known detector or, for `add-metadata`, no classifier either.
  ///
  /// **Remedy:** see [models](models.md#an-unknown-model).
  public static let unknownFamily = Self(rawValue: "unknown-family")
  /// The model does not belong to the requested family.
  ///
  /// **Remedy:** leave `--family` out, or write the metadata again.
  public static let familyMismatch = Self(rawValue: "family-mismatch")
  /// The outputs can be read in two ways: raw scores without an activation, with and without a background, or
  /// two equal outputs of which either may be the boxes.
  ///
  /// **Remedy:** the message names the option: `--activation`, `--background`, `--labels`, `--family`.
  public static let ambiguousModel = Self(rawValue: "ambiguous-model")
  /// The shapes of the outputs fit several families, and no labels decide between them.
  ///
  /// **Remedy:** `--family NAME`, or `--labels FILE`, whose number of lines decides unless one may be
  /// background.
  public static let ambiguousFamily = Self(rawValue: "ambiguous-family")
  /// The model returned a class, count, score, confidence or point that is out of range, values that
  /// contradict its family, or NaN: one among the scores, or in a found object's points, mask or angle; a
  /// detection whose box is not a number is left out.
  ///
  /// **Remedy:** check `--family`, `--normalize` and `--activation`, or the model with the tool that exported
  /// it.
  public static let invalidOutput = Self(rawValue: "invalid-output")
  /// The number of labels does not match the detector's classes, with or without a background, or the model
  /// returned a class without a label, or class 0 with the label `background`, or the first line may be a
  /// header and the model does not show its number of classes.
  ///
  /// **Remedy:** use the label file that belongs to the model.
  public static let labelsDoNotFit = Self(rawValue: "labels-do-not-fit")
}

extension Failure where Code == DetectionCode {
  /// The error of a score above 1, which shows that the model's scores need an activation, or of
  /// one that is not finite.
  static func notAProbability(_ score: Float, modelName: String) -> DetectionError {
    DetectionError(
      .invalidOutput,
      "'\(modelName)' returned the score \(score.shown), which is not a probability",
      remedy: score.isFinite
        ? "Set the activation of its scores: \(option: "activation", "sigmoid")"
          + " or \(option: "activation", "softmax")"
        : "Check the normalisation, or the model with the tool that exported it")
  }
}

extension BinaryFloatingPoint {
  /// The number for a message: a NaN has no sign, which its description may have.
  var shown: Self { isNaN ? .nan : self }
}
