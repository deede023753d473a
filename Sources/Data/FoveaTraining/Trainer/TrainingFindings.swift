// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation

/// The trained head, with the findings about the photos that the report shows.
package struct TrainingFindings: Sendable {
  package let set: TrainingSet
  /// The training photos, each with the answer of a head that was not trained on it.
  package let judged: JudgedPhotos
  /// The test photos with their answers; nil if there are none.
  package let test: JudgedPhotos?
  /// The figures at all thresholds on the photos of `judged`.
  package let thresholds: Thresholds
  /// The model's threshold; one above its highest score would leave every photo without an answer.
  package var threshold: Double { min(wantedThreshold, highestScore) }
  /// The threshold that was set, or that the probabilities suggest.
  let wantedThreshold: Double
  /// The highest score that the model can return.
  let highestScore: Double
  /// Probably mislabelled photos, the highest ratio first; rows of `judged`.
  package let issues: [LabelIssue]
  /// Groups of probable duplicates; rows of `judged`.
  package let repeated: [[Int]]
  /// Test photos that were left out because they match a training photo, each with that photo.
  package let knownTestPhotos: [(test: TrainingSet.Photo, learned: TrainingSet.Photo)]
  /// The error rate by the number of photos; nil if photos have several labels.
  package let curve: LearningCurve?
  let head: LearnedHead

  init(
    _ embedded: EmbeddedPhotos, mirrored: EmbeddedPhotos?, of set: TrainingSet,
    _ options: LabelTrainer.Options, highestScore: Double, jobs: Int
  ) throws(LearningProblem) {
    self.set = set
    let rows = try TrainingRows(embedded)
    let features = rows.features
    let photos = rows.learned.map { embedded.photos[$0] }
    let targets = Targets(photos, isSeveral: options.isMultiLabel ?? set.isMultiLabel)
    var problem = LearnedHead.Problem(
      features: features, targets: targets, classCount: set.classes.count, groups: rows.groups,
      files: rows.files, otherClass: set.otherClass, hasMixedGroups: embedded.areCrops)
    let folds = try problem.folds(options)
    if let mirrored { try problem.add(mirrored: mirrored.values) }
    head = try LearnedHead(problem, options, jobs: jobs)
    judged = JudgedPhotos(photos: photos, targets: targets, probabilities: head.probabilities)
    test = try TrainingFindings.test(embedded, rows.test, head, targets)
    thresholds = try Thresholds(probabilities: head.probabilities, targets: targets)
    (wantedThreshold, self.highestScore) = (TrainingFindings.threshold(thresholds, options), highestScore)
    knownTestPhotos = rows.known.map { (embedded.photos[$0.test], embedded.photos[$0.learned]) }
    repeated = embedded.areCrops ? [] : NearDuplicates.members(of: rows.groups)
    guard case .one(let labels) = targets else {
      (issues, curve) = ([], nil)
      return
    }
    issues = try LabelIssue.all(in: head.probabilities, labels: labels)
    curve = try LearningCurve(
      features, labels: labels, classCount: set.classes.count, folds: folds, strength: head.strength,
      seed: options.seed, jobs: jobs)
  }

  /// The model's figures on held-out photos.
  package var figures: TrainingFigures { judged.figures(threshold: threshold) }
  /// The model's figures on test photos.
  package var testFigures: TrainingFigures? { test?.figures(threshold: threshold) }

  /// Whether the training photos are crops.
  var areCrops: Bool { judged.photos.contains { $0.crop != nil } }

  /// Whether a photo may have several labels.
  package var isMultiLabel: Bool { judged.targets.isSeveral }

  private static func test(
    _ embedded: EmbeddedPhotos, _ rows: [Int], _ head: LearnedHead, _ learned: Targets
  ) throws(LearningProblem) -> JudgedPhotos? {
    guard !rows.isEmpty else { return nil }
    let photos = rows.map { embedded.photos[$0] }
    let targets = Targets(photos, isSeveral: learned.isSeveral)
    return JudgedPhotos(
      photos: photos, targets: targets,
      probabilities: head.probabilities(of: try embedded.features(rows), like: targets))
  }

  private static func threshold(_ thresholds: Thresholds, _ options: LabelTrainer.Options) -> Double {
    if let threshold = options.threshold { return threshold }
    if let precision = options.precision {
      // If no threshold reaches it, the most confident answers come nearest.
      return Thresholds.point(of: thresholds.all, reaching: precision)?.threshold
        ?? thresholds.all.last?.threshold ?? 1
    }
    return Thresholds.best(of: thresholds.all).map { Thresholds.middle(below: $0, in: thresholds.all) } ?? 0
  }
}

extension Targets {
  /// Creates the targets of photos.
  init(_ photos: [TrainingSet.Photo], isSeveral: Bool) {
    self = isSeveral ? .several(photos.map(\.labels)) : .one(photos.map { $0.labels.first ?? 0 })
  }
}

/// The quality of a trained model on photos that were not used for training; shares are from 0 to 1.
public struct TrainingFigures: Sendable, Equatable {
  /// The number of evaluated photos.
  public var photoCount: Int
  /// The share of photos whose most likely class is right.
  public var accuracy: Double
  /// The standard error of `accuracy`, assuming independent photos.
  public var standardError: Double
  /// The mean negative logarithm of the probability of the right class; 0 is best.
  public var logLoss: Double
  /// The difference between probabilities and the frequency of right answers, 0…1, in 15 bins.
  public var calibrationError: Double
  /// The model's threshold, 0…1.
  public var threshold: Double
  /// The share of answers at that threshold that are right; nil if there are none.
  public var precision: Double?
  /// The share of photos without an answer at that threshold.
  public var unanswered: Double
}
