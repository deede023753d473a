// SPDX-License-Identifier: Apache-2.0

package import Fovea
package import FoveaCore
package import FoveaDecoding
package import FoveaEvaluation

/// Evaluates a classifier on labelled photos: one that is run here, or the answers of any program.
package struct LabelEvaluation: Sendable {
  /// The photos; if some are marked as test photos, only those.
  package private(set) var photos: [TrainingSet.Photo]
  /// The classifier's names for classes that have other names in the set.
  package var renaming = LabelRenaming()
  /// The minimum score of an answer, 0…1; nil uses the model's, or 0 for the answers of a file.
  package var threshold: Float?

  /// The classes of the photos.
  private let classes: [String]
  private let source: String
  private let leftOutCount: Int
  /// The skipped content of the set's folders, as a sentence.
  private let passedOver: String?

  /// Creates an evaluation.
  package init(_ set: TrainingSet) {
    let test = set.photos.filter(\.isTest)
    var photos = test.isEmpty ? set.photos : test
    let used = Set(photos.flatMap(\.labels)).sorted()
    let places = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    for index in photos.indices { photos[index].labels = photos[index].labels.compactMap { places[$0] } }
    self.photos = photos
    classes = used.map { set.classes[$0] }
    source = set.source
    leftOutCount = set.photos.count - photos.count
    passedOver = set.passedOver
  }

  /// Runs a classifier on the photos.
  /// - Parameters:
  ///   - model: The classifier.
  ///   - options: The labeler's options; `sessions` photos are processed at a time.
  ///   - progress: Called with the number of finished photos and the number of photos that could not be
  ///     opened.
  /// - Returns: The figures, without photos that could not be opened.
  /// - Throws: The errors of models, `evaluation-unknown-label`, `cancelled`.
  package func evaluate(
    _ model: ModelSource, _ options: ImageLabeler.Options, progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(FoveaError) -> EvaluatedLabels {
    let labeler = try await ImageLabeler(model: model, options: options)
    let facts = try await labeler.facts()
    let labels = AnswerLabels(facts.classNames)
    let numbers: [Int]
    do throws(EvaluationError) { numbers = try labels.numbers(of: classes, renaming, source: source) } catch {
      throw FoveaError(error)
    }
    let labeling = PhotoLabeling(labeler: labeler, classCount: facts.classNames.count, jobs: options.sessions)
    let results = try await labeling.run(photos, progress: progress)
    return EvaluatedLabels(
      answered(results, labels, numbers), labels.names, threshold: threshold ?? facts.threshold,
      isGiven: threshold != nil, notes: setNotes + labeler.assumptions)
  }

  /// Verifies, for a comparison of models, that a classifier has the classes of the photos.
  /// - Throws: `evaluation-unknown-label`.
  func check(classNames: [String]) throws(EvaluationError) {
    // Comparisons have no file that renames classes.
    _ = try AnswerLabels(classNames, canRename: false).numbers(of: classes, renaming, source: source)
  }

  /// Evaluates answers that a classifier has already given.
  /// - Parameters:
  ///   - labels: The labels of each photo, in the order of `photos`; all of them count.
  ///   - classNames: The names of the classifier's classes.
  /// - Returns: The figures.
  /// - Throws: `evaluation-unknown-label`.
  package func evaluate(
    labels: [[Label]], classNames: [String]
  ) throws(EvaluationError) -> EvaluatedLabels {
    let known = AnswerLabels(classNames)
    let numbers = try known.numbers(of: classes, renaming, source: source)
    return EvaluatedLabels(
      answered(labels.map { .success($0) }, known, numbers), known.names, threshold: threshold ?? 0,
      isGiven: threshold != nil, notes: setNotes)
  }

  /// Returns the evaluation of only some of its photos, in the given order.
  package func with(_ photos: [TrainingSet.Photo]) -> LabelEvaluation {
    var evaluation = self
    evaluation.photos = photos
    return evaluation
  }

  /// Evaluates the answers of a file.
  /// - Parameter path: A file as `fovea label --format json` or `jsonl` writes it.
  /// - Returns: The figures, without photos that the program could not open.
  /// - Throws: `evaluation-…`.
  package func evaluate(predictions path: String) throws(FoveaError) -> EvaluatedLabels {
    do throws(EvaluationError) {
      let predicted = try PredictedLabels(path: path, photos: photos)
      var labels = AnswerLabels(predicted.labelNames)
      let (numbers, unanswered) = try labels.numbersOfAnswered(classes, renaming, source: source)
      let count = labels.names.count
      var outcomes = answered(predicted.results.map { $0 ?? .success([]) }, labels, numbers)
      for (index, isWhole) in predicted.areWhole(labelCount: count).enumerated() {
        outcomes[index].isWhole = isWhole
      }
      return EvaluatedLabels(
        outcomes, labels.names, threshold: threshold ?? 0, isGiven: threshold != nil,
        notes: setNotes + predicted.notes + predicted.scoreNotes(labelCount: count)
          + LabelEvaluation.notes(unanswered: unanswered))
    } catch {
      throw FoveaError(error)
    }
  }

  /// Pairs photos, with their classes as label numbers, with their answers.
  private func answered(
    _ results: [Result<[Label], FoveaError>], _ labels: AnswerLabels, _ numbers: [Int]
  ) -> [EvaluatedLabels.Outcome] {
    zip(photos, results).map { photo, result in
      var photo = photo
      photo.labels = Set(photo.labels.map { numbers[$0] }).sorted()
      return EvaluatedLabels.Outcome(
        photo: photo,
        result: result.map { found in
          found.compactMap { label in labels[label].map { LabeledPhoto.Answer($0, label.confidence) } }
        })
    }
  }

  private var setNotes: [Advice] {
    var notes = passedOver.map { [Advice($0)] } ?? []
    if leftOutCount > 0 {
      notes.append(
        "\(DecimalText.counted(leftOutCount, "photo for training was", "photos for training were")) left out")
    }
    return notes
  }

  private static func notes(unanswered: [String]) -> [Advice] {
    guard !unanswered.isEmpty else { return [] }
    let names = unanswered.prefix(5).map { "'\($0.printable)'" }.joined(separator: ", ")
    return ["never predicted: \(names)\(unanswered.count > 5 ? " and \(unanswered.count - 5) more" : "")"]
  }
}
