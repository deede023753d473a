// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaEvaluation

/// The evaluation of a classifier on labelled photos.
package struct EvaluatedLabels: Sendable {
  /// A photo with its classes as indices into `labels`, and its answers, or the error of opening it.
  struct Outcome: Sendable {
    var photo: TrainingSet.Photo
    var result: Result<[LabeledPhoto.Answer], FoveaError>
    /// If false, scores may have been left out.
    var isWhole = true
  }

  /// The labels of the answers and of the photos.
  package let labels: [String]
  /// The minimum score of an answer.
  package let threshold: Double
  /// The figures.
  package let metrics: LabelMetrics
  /// Photos that could not be opened.
  package let failed: [TrainedLabels.Failed]
  /// Assumptions and omissions, as sentences without the final stop.
  package let notes: [Advice]
  /// Whether the user set the threshold.
  let isThresholdGiven: Bool
  /// The evaluated photos, and the answers for each.
  let photos: [TrainingSet.Photo]
  let answers: [LabeledPhoto]

  init(_ outcomes: [Outcome], _ labels: [String], threshold: Float, isGiven: Bool, notes: [Advice]) {
    self.labels = labels
    self.threshold = Double(threshold)
    self.notes = notes
    isThresholdGiven = isGiven
    var photos: [TrainingSet.Photo] = []
    var answers: [LabeledPhoto] = []
    var failed: [TrainedLabels.Failed] = []
    for outcome in outcomes {
      switch outcome.result {
      case .success(let found):
        photos.append(outcome.photo)
        answers.append(
          LabeledPhoto(given: outcome.photo.labels, answers: found, isWhole: outcome.isWhole))
      case .failure(let error): failed.append(.init(name: outcome.photo.name, error: error))
      }
    }
    (self.photos, self.answers, self.failed) = (photos, answers, failed)
    metrics = LabelEvaluator(
      classCount: labels.count, threshold: Double(threshold),
      isMultiLabel: photos.contains { $0.labels.count > 1 }
    ).evaluate(answers)
  }

  /// The classes that have photos or answers, in the order of `labels`.
  var shownClasses: [Int] {
    labels.indices.filter { metrics.classes[$0].photoCount > 0 || metrics.classes[$0].answerCount > 0 }
  }
}
