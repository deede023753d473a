// SPDX-License-Identifier: Apache-2.0

import Fovea
public import FoveaCore

/// Trains a classifier on labelled photos: a backbone that is there already turns photos into numbers, and a linear head
/// learns which numbers mean which class.
///
///     let set = try TrainingSet(folder: "flowers")
///     let trained = try await LabelTrainer().train(set)
///     try trained.write(to: "flowers-model")
///
/// It runs on the processor, without a network; the same photos, options and kind of machine give the same bytes, however many photos
/// are worked on at a time.
///
/// **Source:** Kornblith, Shlens, Le, "Do Better ImageNet Models Transfer Better?", CVPR 2019 (logistic regression by L-BFGS on frozen
/// features).
public struct LabelTrainer: Sendable {
  /// What is learned, and how.
  public let options: Options

  /// Makes a trainer.
  /// - Parameter options: What is learned, and how.
  public init(_ options: Options = Options()) { self.options = options }

  /// Trains a classifier.
  /// - Parameters:
  ///   - set: The photos; those that are marked as test photos are judged, and never learned from.
  ///   - test: Further test photos, of the same classes.
  ///   - progress: Hears how far it is, after each photo.
  /// - Returns: The model, and how well it answers.
  /// - Throws: `training-set-invalid` for fewer than two classes of two photos that can be opened; `no-embedding` for a backbone
  ///   without a dense end, `nothing-to-learn`, `option-invalid`, `cancelled`; the errors of models. Embeddings that were computed are
  ///   kept in the cache whatever happens.
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

  /// The mirrored embeddings of the photos that are learned from; nil where they are not wanted.
  /// - Throws: The error of a photo that could be opened before, and now cannot.
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

  /// Refuses what is left where photos could not be opened.
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

  /// Refuses a file that is there twice, with different labels.
  private static func checkCopies(_ embedded: EmbeddedPhotos, of set: TrainingSet) throws(TrainingError) {
    var seen: [PhotoDigest: TrainingSet.Photo] = [:]
    for (digest, photo) in zip(embedded.digests, embedded.photos) {
      guard let other = seen.updateValue(photo, forKey: digest), other.labels != photo.labels else {
        continue
      }
      throw .invalidSet(
        other.name == photo.name
          ? "'\(photo.name.printable)' is there twice, with different labels"
          : "'\(other.name.printable)' and '\(photo.name.printable)' are the same photo with different labels",
        source: set.source, remedy: "Leave one of them out, or give both the same label")
    }
  }
}

extension LabelTrainer.Options {
  /// Throws `option-invalid` for values out of range.
  func check() throws(FoveaError) {
    if !(2...50).contains(folds) {
      throw .optionInvalid("folds is \(folds); it must be 2…50", remedy: "Give 5")
    }
    if let strength, !(strength > 0 && strength.isFinite) {
      throw .optionInvalid("strength is \(strength); it must be above 0", remedy: "Leave it out: it is found")
    }
    if let threshold, !(0...1).contains(threshold) {
      throw .optionInvalid("threshold is \(threshold); it must be 0…1", remedy: "Give a score in that range")
    }
    if let precision, !(precision > 0 && precision <= 1) {
      throw .optionInvalid(
        "precision is \(precision); it must be above 0 and at most 1",
        remedy: "Give 0.9 for nine right answers of ten")
    }
    if threshold != nil, precision != nil {
      throw .optionInvalid("Both threshold and precision were given", remedy: "Give one of them")
    }
    if let jobs, jobs < 1 {
      throw .optionInvalid("jobs is \(jobs); it must be 1 or more", remedy: "Leave it out: all cores work")
    }
  }
}
