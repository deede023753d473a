// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// Why a model cannot be trained.
public typealias TrainingError = Failure<TrainingCode>

/// The kinds of ``TrainingError``.
public struct TrainingCode: FailureCode {
  /// What stands before the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Makes a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Photos are not in folders of classes, a class has too few, a label is none, or a file that lists them is wrong.
  ///
  /// **Remedy:** a folder for each class, with photos in it.
  public static let invalidSet = Self(rawValue: "training-set-invalid")
  /// A folder or file of a training set cannot be read.
  ///
  /// **Remedy:** check path and permissions.
  public static let unreadable = Self(rawValue: "training-set-unreadable")
  /// All embeddings are the same, or not numbers: the model sees nothing in the photos.
  ///
  /// **Remedy:** another backbone, or the right normalisation.
  public static let nothingToLearn = Self(rawValue: "nothing-to-learn")
}

/// Why numbers cannot be learned from; rows are counted from 0.
package enum LearningProblem: Error, Equatable {
  /// There are no rows, or rows without numbers.
  case empty
  /// A row has another length than the first.
  case length(row: Int, found: Int, expected: Int)
  /// A row has a number that is infinite or none.
  case notFinite(row: Int)
  /// All rows are the same, so that nothing can be learned.
  case constant
  /// There is no label for each row, or one that is no class.
  case labels
  /// There are fewer than two classes.
  case oneClass
  /// The task that learns was cancelled.
  case cancelled
}
