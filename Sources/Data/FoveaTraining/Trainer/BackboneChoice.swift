// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The selection of the backbone whose head performs best on a part of the photos.
///
/// Each backbone is tried on at most 20 photos per class. The smallest of those within a standard error of
/// the best is chosen.
struct BackboneChoice: Sendable {
  /// The result of a backbone.
  struct Trial: Sendable {
    var name: String
    /// The share of right answers on held-out photos.
    var accuracy: Double
    var standardError: Double
    var byteCount: Int
    /// The length of its embeddings.
    var dimension: Int
  }

  let chosen: EmbeddedBackbone
  /// The results of all backbones; empty if there was only one.
  let trials: [Trial]

  private static let photosPerClass = 20

  init(
    _ set: TrainingSet, _ options: LabelTrainer.Options, progress: (TrainingProgress) -> Void
  ) async throws(FoveaError) {
    guard options.backbones.count > 1 else {
      chosen = try await EmbeddedBackbone(options.backbones.first ?? .embedded, options)
      trials = []
      return
    }
    let sample = set.sample(BackboneChoice.photosPerClass)
    var best: (backbone: EmbeddedBackbone, trial: Trial)?
    var tried: [(backbone: EmbeddedBackbone, trial: Trial)] = []
    for (number, backbone) in options.backbones.enumerated() {
      let ready = try await EmbeddedBackbone(backbone, options)
      let embedded = try await ready.embed(sample) { done in
        progress(
          TrainingProgress(
            .trying(backbone: backbone.name), done: number * sample.count + done,
            total: options.backbones.count * sample.count))
      }
      let trial = try BackboneChoice.trial(ready, embedded, set, options)
      tried.append((ready, trial))
      if trial.accuracy > best?.trial.accuracy ?? -1 { best = (ready, trial) }
    }
    trials = tried.map(\.trial)
    let bound = (best?.trial.accuracy ?? 0) - (best?.trial.standardError ?? 0)
    let winner = tried.filter { $0.trial.accuracy >= bound }
      .min { $0.trial.byteCount < $1.trial.byteCount }
    guard let winner else { throw .optionInvalid("No backbone was given", remedy: "Name at least one") }
    chosen = winner.backbone
  }

  private static func trial(
    _ ready: EmbeddedBackbone, _ embedded: EmbeddedPhotos, _ set: TrainingSet, _ options: LabelTrainer.Options
  ) throws(FoveaError) -> Trial {
    let accuracy: Double
    do throws(LearningProblem) { accuracy = try BackboneChoice.accuracy(embedded, set, options) } catch {
      throw error.failure(backbone: ready.backbone.name, embedded)
    }
    let count = Double(max(1, embedded.photos.count))
    return Trial(
      name: ready.backbone.name, accuracy: accuracy,
      standardError: (accuracy * (1 - accuracy) / count).squareRoot(), byteCount: ready.byteCount,
      dimension: embedded.dimension)
  }

  private static func accuracy(
    _ embedded: EmbeddedPhotos, _ set: TrainingSet, _ options: LabelTrainer.Options
  ) throws(LearningProblem) -> Double {
    // Uses only the first label of each photo, because only the order of backbones matters.
    let labels = embedded.photos.map { $0.labels.first ?? 0 }
    let folds = try Folds(labels: labels, count: options.folds, seed: options.seed)
    let validation = try CrossValidation(
      try embedded.features(), targets: .one(labels), classCount: set.classes.count, folds: folds)
    let right = zip(validation.scores, labels).count { scores, label in
      scores.indices.max { scores[$0] < scores[$1] } == label
    }
    return Double(right) / Double(labels.count)
  }
}

extension TrainingSet {
  /// Returns the first training photos of each class.
  func sample(_ count: Int) -> [Photo] {
    var taken = [Int](repeating: 0, count: classes.count)
    return photos.filter { photo in
      guard !photo.isTest, let label = photo.labels.first, taken[label] < count else { return false }
      taken[label] += 1
      return true
    }
  }
}

extension EmbeddedPhotos {
  /// Returns the embeddings as a feature matrix.
  func features() throws(LearningProblem) -> FeatureMatrix {
    try FeatureMatrix(columnCount: dimension, values: values)
  }
}

extension LearningProblem {
  /// Converts the problem to an error for users.
  func failure(backbone: String, _ embedded: EmbeddedPhotos) -> FoveaError {
    let text: String
    var remedy: Advice = "Use more photos that differ, or another backbone"
    var subject: String?
    switch self {
    case .constant: text = "all photos have the same embedding"
    case .notFinite(let row):
      text = "the embedding of a photo is not finite"
      subject = embedded.photos.indices.contains(row) ? embedded.photos[row].path : nil
    case .empty: text = "there are no embeddings"
    case .length(let row, let found, let expected):
      text = "embedding \(row) has \(found) numbers instead of \(expected)"
    case .labels: text = "a class has fewer than two photos that are not copies of one another"
    case .oneClass:
      text = "fewer than two classes have photos that are not copies of another class's"
      remedy = "Put each photo into one class only, and use photos that differ between the classes"
    case .cancelled: return FoveaError(CancellationError())
    }
    return FoveaError(
      FoveaCode(TrainingCode.nothingToLearn), "Nothing can be learned from '\(backbone)': \(text)",
      remedy: remedy, subject: subject)
  }
}
