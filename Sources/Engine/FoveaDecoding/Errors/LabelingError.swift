// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error if a model cannot serve as a classifier or its output cannot be read.
public typealias LabelingError = Failure<LabelingCode>

/// The kinds of ``LabelingError``.
public struct LabelingCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Creates a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The outputs are not those of a classifier: other shapes, one number without a sigmoid, or an embedding.
  ///
  /// **Remedy:** use `fovea detect --model` for a detector; `--activation sigmoid` or two labels for one
  /// logit.
  public static let notAClassifier = Self(rawValue: "not-a-classifier")
  /// The model returned a class, count, score or confidence that is out of range or NaN.
  ///
  /// **Remedy:** check `--family`, `--normalize` and `--activation`, or the model with the tool that exported
  /// it.
  public static let invalidOutput = Self(rawValue: "invalid-output")
}
