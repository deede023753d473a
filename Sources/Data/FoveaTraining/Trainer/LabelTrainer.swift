// SPDX-License-Identifier: Apache-2.0

import Fovea
public import FoveaCore

/// Trains a classifier on labelled photos: an existing backbone converts photos to embeddings, and a linear
/// head learns the classes from them.
///
///     let set = try TrainingSet(folder: "flowers")
///     let trained = try await LabelTrainer().train(set)
///     try trained.write(to: "flowers-model")
///
/// Training runs on the CPU, without a network; with the same photos and options, and on the same kind of
/// machine, it writes the same bytes, regardless of the number of photos processed at a time.
///
/// **Source:** Kornblith, Shlens, Le, "Do Better ImageNet Models Transfer Better?", CVPR 2019 (logistic
/// regression by L-BFGS on frozen features).
public struct LabelTrainer: Sendable {
  /// The options of training.
  package let options: Options

  /// Creates a trainer.
  /// - Parameter options: The options of training.
  public init(_ options: Options = Options()) { self.options = options }

  /// Trains a classifier.
  /// - Parameters:
  ///   - set: The photos; test photos are only evaluated, never used for training.
  ///   - test: More test photos, with the same classes.
  ///   - progress: Called after each photo.
  /// - Returns: The model with its figures.
  /// - Throws: `training-set-invalid` for fewer than two classes of two photos that can be opened;
  ///   `no-embedding` for a backbone that does not end in a dense layer, `nothing-to-learn`,
  ///   `option-invalid`, `cancelled`; the errors of models. Embeddings computed so far stay in the cache.
  public func train(
    _ set: TrainingSet, test: TrainingSet? = nil, progress: (TrainingProgress) -> Void = { _ in }
  ) async throws(FoveaError) -> TrainedLabels {
    try options.check()
    var set = set
    do throws(TrainingError) {
      if let test { set.photos += try set.testPhotos(test) }
      try set.checkCounts()
    } catch {
      throw FoveaError(error)
    }
    let choice = try await BackboneChoice(set, options, progress: progress)
    let count = set.photos.count
    let total = count + (options.learnsMirrored ? set.photos.count { !$0.isTest } : 0)
    let embedded = try await choice.chosen.embed(set.photos) { done in
      progress(TrainingProgress(.embedding, done: done, total: total))
    }
    let mirrored = try await mirrored(embedded, by: choice.chosen) { done in
      progress(TrainingProgress(.embedding, done: count + done, total: total))
    }
    guard !Task.isCancelled else { throw FoveaError(CancellationError()) }
    progress(TrainingProgress(.learning))
    set.photos = embedded.photos
    try check(embedded, set)
    let jobs = options.jobs ?? Cores.available
    let findings: TrainingFindings
    do throws(LearningProblem) {
      findings = try TrainingFindings(
        embedded, mirrored: mirrored, of: set, options,
        highestScore: choice.chosen.highestScore(options.head), jobs: jobs)
    } catch {
      throw error.failure(backbone: choice.chosen.backbone.name, embedded)
    }
    return try TrainedLabels(findings, embedded.failed, choice, options)
  }

  /// Returns the mirrored embeddings of the training photos; nil if they are not requested.
  /// - Throws: The error of a photo that could be opened before but not now.
  private func mirrored(
    _ embedded: EmbeddedPhotos, by backbone: EmbeddedBackbone, progress: (Int) -> Void
  ) async throws(FoveaError) -> EmbeddedPhotos? {
    guard options.learnsMirrored else { return nil }
    let photos = embedded.photos.filter { !$0.isTest }
    let found = try await backbone.embedMirrored(photos, options, progress: progress)
    guard let failed = found.failed.first else { return found }
    var error = failed.error
    error.subject = error.subject ?? failed.photo.path
    throw error
  }

  /// Checks the set again without photos that could not be opened.
  private func check(_ embedded: EmbeddedPhotos, _ set: TrainingSet) throws(FoveaError) {
    if options.isStrict, let failed = embedded.failed.first {
      var error = failed.error
      error.subject = error.subject ?? failed.photo.path
      throw error
    }
    do throws(TrainingError) {
      try set.checkCounts(failed: embedded.failed)
      if options.isStrict { try LabelTrainer.checkCopies(embedded, of: set) }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Throws if a file occurs twice with different labels.
  private static func checkCopies(_ embedded: EmbeddedPhotos, of set: TrainingSet) throws(TrainingError) {
    var seen: [PhotoDigest: TrainingSet.Photo] = [:]
    for (digest, photo) in zip(embedded.digests, embedded.photos) {
      guard let other = seen.updateValue(photo, forKey: digest), other.labels != photo.labels else {
        continue
      }
      throw .invalidSet(
        other.name == photo.name
          ? "'\(photo.name.printable)' is listed twice with different labels"
          : "'\(other.name.printable)' and '\(photo.name.printable)' are the same photo with different "
            + "labels",
        source: set.source, remedy: "Leave one of them out, or give both the same label")
    }
  }
}

extension LabelTrainer.Options {
  /// Throws `option-invalid` for values out of range.
  func check() throws(FoveaError) {
    if !(2...50).contains(folds) {
      throw .optionInvalid("folds is \(folds); it must be 2…50", remedy: "Use 5")
    }
    if let strength, !(strength > 0 && strength.isFinite) {
      throw .optionInvalid(
        "strength is \(strength); it must be above 0", remedy: "Leave it out to find the best one")
    }
    if let threshold, !(0...1).contains(threshold) {
      throw .optionInvalid("threshold is \(threshold); it must be 0…1", remedy: "Use a score in that range")
    }
    if let precision, !(precision > 0 && precision <= 1) {
      throw .optionInvalid(
        "precision is \(precision); it must be above 0 and at most 1",
        remedy: "Use 0.9 for nine right predictions out of ten")
    }
    if threshold != nil, precision != nil {
      throw .optionInvalid("both threshold and precision are set", remedy: "Set only one of them")
    }
    if let jobs, jobs < 1 {
      throw .optionInvalid("jobs is \(jobs); it must be 1 or more", remedy: "Leave it out to use all cores")
    }
  }
}
