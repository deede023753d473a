// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// Why a model cannot serve as a detector, or its answer cannot be read.
public typealias DetectionError = Failure<DetectionCode>

/// The kinds of ``DetectionError``.
public struct DetectionCode: FailureCode {
  /// What stands before the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Makes a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The outputs are those of no known detector, or, for `add-metadata`, of no classifier either.
  ///
  /// **Remedy:** see [models](models.md#an-unknown-model).
  public static let unknownFamily = Self(rawValue: "unknown-family")
  /// The model is not of the family that was asked for.
  ///
  /// **Remedy:** leave `--family` out, or write the metadata again.
  public static let familyMismatch = Self(rawValue: "family-mismatch")
  /// The outputs can be read in two ways: raw scores without sigmoid or softmax, a background or none.
  ///
  /// **Remedy:** the message names the option: `--activation`, `--background`, `--labels`.
  public static let ambiguousModel = Self(rawValue: "ambiguous-model")
  /// The shapes of the outputs fit several families, and no labels decide.
  ///
  /// **Remedy:** `--family NAME`, or `--labels FILE`: its number of lines decides, unless a background among them leaves it
  /// open.
  public static let ambiguousFamily = Self(rawValue: "ambiguous-family")
  /// The model answered a class, count, score or confidence out of range, or NaN.
  ///
  /// **Remedy:** check `--family`, `--normalize` and `--activation`, or the model with the tool that exported it.
  public static let invalidOutput = Self(rawValue: "invalid-output")
  /// There are not as many labels as a detector has classes, a background aside, or it answered a class without a label, or
  /// class 0 with the label `background`.
  ///
  /// **Remedy:** give the label file that belongs to the model.
  public static let labelsDoNotFit = Self(rawValue: "labels-do-not-fit")
}
