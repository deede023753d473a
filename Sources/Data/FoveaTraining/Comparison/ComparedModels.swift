// SPDX-License-Identifier: Apache-2.0

public import FoveaCore

/// The figures of two compared models.
public struct ComparedModels: Sendable {
  /// A photo that could not be read.
  package struct Failed: Sendable {
    package let name: String
    package let error: FoveaError

    package init(name: String, error: FoveaError) { (self.name, self.error) = (name, error) }
  }

  /// A figure of both models on the photos that have ground truth: COCO's average precision, or the share of
  /// photos whose first label is right.
  public struct Accuracy: Sendable, Hashable {
    /// The kind of figure.
    package enum Kind: String, Sendable {
      /// COCO's average precision.
      case averagePrecision = "ap"
      /// The share of photos whose first label is right.
      case firstLabels = "accuracy"
    }
    package let kind: Kind
    /// The first model's figure, 0…1; nil if it is not defined, as without objects.
    public let first: Double?
    /// The second model's.
    public let second: Double?
    /// The number of photos with ground truth.
    public let photoCount: Int

    /// The number of photos from which the figure is not rough.
    package static let enoughPhotos = 50

    /// The second figure divided by the first; nil if the first is 0 or either is not defined.
    package var ratio: Double? {
      guard let first, let second, first > 0 else { return nil }
      return second / first
    }
  }

  /// The classes of detectors that the ground truth does not list.
  package struct UnlistedClasses: Sendable, Hashable {
    /// Their names, in order.
    package var names: [String] = []
    /// The number of all classes with names.
    package var count = 0
  }

  /// The task of both models.
  package let task: ComparedTask
  /// The lowest score of an object; nil for other tasks.
  package let threshold: Float?
  /// The answers of both.
  package let answers: Agreement
  /// The accuracy of both; nil without ground truth.
  public let accuracy: Accuracy?
  /// The processor time of a run; nil if no photo could be read.
  package let times: TurnTimer.Times?
  /// The sizes of the files in bytes.
  public let byteCounts: (first: Int, second: Int)
  /// The number of compared photos.
  public let photoCount: Int
  /// The photos that could not be read.
  package let failed: [Failed]
  /// The classes that the ground truth does not list, whose boxes do not count in the accuracy.
  package var unlisted = UnlistedClasses()

  /// The agreement of the models; nil if there was nothing to compare, as without objects.
  ///
  /// Detectors: F1 of the boxes, 0…1. Classifiers: the share of photos with the same first label, 0…1.
  /// Segmentation: the mean IoU of the classes, 0…1. Other outputs: the mean cosine, −1…1.
  public var agreement: Double? { answers.value }

  /// The processor time of a run of each model on one thread; nil if no photo could be read.
  public var processorTimes: (first: Duration, second: Duration)? { times.map { ($0.first, $0.second) } }

  /// The errors of the photos that could not be read; the subject of each is the photo's name.
  public var errors: [FoveaError] { failed.map(\.named) }
}

extension ComparedModels.Failed {
  /// The error with the photo's name as its subject.
  var named: FoveaError {
    var error = error
    error.subject = name
    return error
  }
}
