// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The steps after detection: embeddings, the head, and its evaluation.
struct ObjectWork {
  let options: ObjectTrainer.Options
  let images: [BoxedImage]
  let crops: ObjectCrops
  let failed: [TrainedLabels.Failed]

  private var jobs: Int { options.classifier.jobs ?? Cores.available }

  func trained(_ progress: (TrainingProgress) -> Void) async throws(FoveaError) -> TrainedObjects {
    let set = crops.set
    do throws(TrainingError) { try set.checkCounts() } catch { throw FoveaError(error) }
    let choice = try await BackboneChoice(set, options.classifier, progress: progress)
    let count = crops.photos.count
    let total = count + (options.classifier.learnsMirrored ? set.photos.count { !$0.isTest } : 0)
    let embedded = try await choice.chosen.embed(crops.photos) { done in
      progress(TrainingProgress(.embedding, done: done, total: total))
    }
    // The detector has just opened the image.
    if let failed = embedded.failed.first { throw failed.error }
    let learned = embedded.rows(crops.learned)
    let mirrored = try await mirrored(learned, by: choice.chosen) { done in
      progress(TrainingProgress(.embedding, done: count + done, total: total))
    }
    guard !Task.isCancelled else { throw FoveaError(CancellationError()) }
    progress(TrainingProgress(.learning))
    let (findings, answers): (TrainingFindings, [[[Double]]])
    do throws(LearningProblem) {
      findings = try TrainingFindings(
        learned, mirrored: mirrored, of: set, options.classifier,
        highestScore: choice.chosen.highestScore(options.classifier.head), jobs: jobs)
      answers = try self.answers(embedded, learned, mirrored, findings)
    } catch {
      throw error.failure(backbone: choice.chosen.backbone.name, learned)
    }
    return try result(findings, choice, answers, known: knownTestImages(learned))
  }

  /// Returns the mirrored embeddings of the training photos; nil if they are not requested.
  private func mirrored(
    _ learned: EmbeddedPhotos, by backbone: EmbeddedBackbone, progress: (Int) -> Void
  ) async throws(FoveaError) -> EmbeddedPhotos? {
    guard options.classifier.learnsMirrored else { return nil }
    let photos = learned.photos.filter { !$0.isTest }
    let found = try await backbone.embedMirrored(photos, options.classifier, progress: progress)
    if let failed = found.failed.first { throw failed.error }
    return found
  }

  /// Returns the probabilities of each box, image by image.
  private func answers(
    _ embedded: EmbeddedPhotos, _ learned: EmbeddedPhotos, _ mirrored: EmbeddedPhotos?,
    _ findings: TrainingFindings
  ) throws(LearningProblem) -> [[[Double]]] {
    let asked = crops.boxRows.flatMap(\.self)
    guard !asked.isEmpty else { return crops.boxRows.map { _ in [] } }
    let rows = try TrainingRows(learned)
    var parts: [PhotoDigest: Int] = [:]
    for (place, row) in rows.learned.enumerated() {
      parts[learned.digests[row]] = findings.head.folds.fold[place]
    }
    var problem = LearnedHead.Problem(
      features: rows.features, targets: findings.judged.targets, classCount: findings.set.classes.count,
      groups: rows.groups, files: rows.files, otherClass: findings.set.otherClass)
    if let mirrored { try problem.add(mirrored: mirrored.values) }
    var answers = try findings.head.probabilities(
      of: embedded.features(asked),
      parts: asked.map { embedded.photos[$0].isTest ? nil : parts[embedded.digests[$0]] }, problem,
      options.classifier, jobs: jobs)[...]
    return crops.boxRows.map { rows in
      defer { answers = answers.dropFirst(rows.count) }
      return Array(answers.prefix(rows.count))
    }
  }

  /// Returns the test images that are identical to a training image.
  private func knownTestImages(_ learned: EmbeddedPhotos) -> Set<String> {
    let rows = learned.photos.indices
    let seen = Set(rows.filter { !learned.photos[$0].isTest }.map { learned.digests[$0] })
    return Set(
      rows.filter { learned.photos[$0].isTest && seen.contains(learned.digests[$0]) }
        .map { learned.photos[$0].path })
  }

  private func result(
    _ findings: TrainingFindings, _ choice: BackboneChoice, _ answers: [[[Double]]], known: Set<String>
  ) throws(FoveaError) -> TrainedObjects {
    let classCount = findings.set.otherClass ?? findings.set.classes.count
    func figures(isTest: Bool) throws(FoveaError) -> ObjectFigures {
      let answered = zip(images, answers).filter { image, _ in
        image.isTest == isTest && !(isTest && known.contains(image.image.path))
      }.map { ObjectJudge.Answered(image: $0, probabilities: $1) }
      return try ObjectJudge(answered: answered, classCount: classCount).figures()
    }
    let hasTest = images.contains { $0.isTest }
    let record = ObjectRecord(
      detector: options.nameOfDetector, maxObjects: options.maxObjects, figures: try figures(isTest: false),
      testFigures: hasTest ? try figures(isTest: true) : nil)
    let classifier = try TrainedLabels(findings, [], choice, options.classifier, objects: record)
    return TrainedObjects(classifier: classifier, record: record, failed: failed, notes: classifier.notes)
  }
}

extension EmbeddedPhotos {
  /// Returns some of the photos.
  fileprivate func rows(_ rows: [Int]) -> EmbeddedPhotos {
    EmbeddedPhotos(
      photos: rows.map { photos[$0] },
      values: rows.flatMap { values[$0 * dimension..<($0 + 1) * dimension] }, dimension: dimension,
      hashes: rows.map { hashes[$0] }, digests: rows.map { digests[$0] }, failed: [],
      computedCount: computedCount)
  }
}
