// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// The figures of two compared models.
package struct ComparedModels: Sendable {
  /// A photo that could not be read.
  package struct Failed: Sendable {
    package let name: String
    package let error: FoveaError
  }

  /// A figure of both models on the photos that have ground truth.
  package struct Accuracy: Sendable, Hashable {
    /// The kind of figure.
    package enum Kind: String, Sendable {
      /// COCO's average precision.
      case averagePrecision = "ap"
      /// The share of photos whose first label is right.
      case firstLabels = "accuracy"
    }
    package let kind: Kind
    /// The first model's figure; nil if it is not defined, as without objects.
    package let first: Double?
    /// The second model's.
    package let second: Double?
    /// The number of photos with ground truth.
    package let photoCount: Int

    /// The number of photos from which the figure is not rough.
    package static let enoughPhotos = 50

    /// The second figure divided by the first; nil if the first is 0 or either is not defined.
    package var ratio: Double? {
      guard let first, let second, first > 0 else { return nil }
      return second / first
    }
  }

  /// The task of both models.
  package let task: ComparedTask
  /// The lowest score of an object; nil for other tasks.
  package let threshold: Float?
  /// The agreement of the models.
  package let agreement: Agreement
  /// The accuracy of both; nil without ground truth.
  package let accuracy: Accuracy?
  /// The processor time of a run; nil if no photo could be read.
  package let times: TurnTimer.Times?
  /// The sizes of the files.
  package let byteCounts: (first: Int, second: Int)
  /// The number of compared photos.
  package let photoCount: Int
  /// The photos that could not be read.
  package let failed: [Failed]
}
