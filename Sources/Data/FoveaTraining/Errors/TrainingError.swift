// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// A reason why a model cannot be trained.
public typealias TrainingError = Failure<TrainingCode>

/// The kinds of ``TrainingError``.
public struct TrainingCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Photos are not in folders of classes, a class has too few, a label is invalid, or a file that lists them
  /// is wrong.
  ///
  /// **Remedy:** use a folder for each class, with photos in it.
  public static let invalidSet = Self(rawValue: "training-set-invalid")
  /// A folder or file of a training set cannot be read.
  ///
  /// **Remedy:** check path and permissions.
  public static let unreadable = Self(rawValue: "training-set-unreadable")
  /// All embeddings are the same or not numbers, so the model does not distinguish the photos.
  ///
  /// **Remedy:** use another backbone, or the right normalisation.
  public static let nothingToLearn = Self(rawValue: "nothing-to-learn")
}

/// A reason why training data is unusable; rows are counted from 0.
package enum LearningProblem: Error, Equatable {
  /// There are no rows, or rows without numbers.
  case empty
  /// A row differs in length from the first.
  case length(row: Int, found: Int, expected: Int)
  /// A row has a number that is infinite or NaN.
  case notFinite(row: Int)
  /// All rows are the same, so nothing can be learned.
  case constant
  /// The number of labels differs from the number of rows, or a label is not a class.
  case labels
  /// There are fewer than two classes.
  case oneClass
  /// The task was cancelled.
  case cancelled
}
