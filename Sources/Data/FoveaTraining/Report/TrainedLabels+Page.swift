// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
package import FoveaImage

extension TrainedLabels {
  private static let shownGroups = 60

  /// Returns the report as one self-contained HTML page.
  /// - Parameters:
  ///   - title: The heading.
  ///   - command: The command that creates the model again.
  ///   - thumbnails: Returns the thumbnail of a photo, or nil to show none.
  /// - Returns: The page.
  package func page(
    title: String, command: String, thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) -> [UInt8] {
    page(title: title, settings: settings, command: command).bytes { appendAll(to: &$0, thumbnails) }
  }

  /// Returns the page without its data.
  func page(title: String, settings: [(name: String, value: String)], command: String) -> TrainingPage {
    var page = TrainingPage(title: title, settings: settings, command: command)
    page.summary = TrainingSummary(self).sentences.map(\.asSentence)
    if findings.set.otherClass == nil, !findings.isMultiLabel {
      page.advice.append(TrainingPage.adviceWithoutOther)
    }
    page.advice += findings.set.notes.map(\.asSentence)
    page.shares = [("out of fold", figures.accuracy, figures.standardError)]
    if let testFigures {
      page.shares.append(("test photos", testFigures.accuracy, testFigures.standardError))
    }
    page.photos.count = figures.photoCount
    (page.classCount, page.suspectCount) = (labels.count, findings.issues.count)
    page.leftOut = failed
    return page
  }

  /// Appends the members of the page's data: those that `--json` prints, and the others.
  func appendAll(to json: inout JSONText, _ thumbnails: (TrainingSet.Photo) -> Thumbnail?) {
    let (labels, confusion) = (JSONText.pageLabels(self.labels), self.confusion)
    append(to: &json, labels)
    json.member("thresholdReason", thresholdReason)
    appendClasses(confusion, labels, to: &json)
    json.member(confusion: confusion, labels)
    json.member(
      curve: findings.thresholds.all, area: Thresholds.averagePrecision(of: findings.thresholds.all))
    json.member(
      reliability: ReliabilityBin.all(
        findings.judged.probabilities.map { $0.max() ?? 0 }, areRight: findings.judged.areRight, count: 15))
    appendLearning(to: &json)
    json.member(mistakes: mistakes, labels, thumbnails)
    json.member(
      suspects: findings.issues.map { (photo: findings.judged.photos[$0.row], issue: $0) }, labels, thumbnails
    )
    json.member(samePhotos: samePhotos, labels, thumbnails)
    json.member("backbones", trials) { json, trial in
      json.object { json in
        json.member("name", trial.name)
        json.member("accuracy", trial.accuracy)
        json.member("standardError", trial.standardError)
        json.member("numbers", trial.dimension)
        json.member("bytes", trial.byteCount)
        json.member("isChosen", trial.name == backbone)
      }
    }
  }

  private var thresholdReason: String {
    switch record.thresholdOrigin {
    case .given: "given"
    case .precision(let precision):
      "the lowest with a precision of \(DecimalText.fixed(precision, places: 2))"
    case .largestF1: "the largest F1"
    }
  }

  /// The number of times a class was answered as each class, by the most likely answer.
  private var confusion: ConfusionTable {
    var table = ConfusionTable()
    for (photo, answer) in zip(findings.judged.photos, findings.judged.answers) {
      table.add(
        given: photo.labels.contains(answer) ? answer : photo.labels.first ?? answer, answered: answer)
    }
    return table
  }

  private func appendClasses(
    _ confusion: ConfusionTable, _ labels: [String], to json: inout JSONText
  ) {
    let counts = findings.judged.targets.counts(classCount: labels.count)
    let answered = confusion.answerCounts
    json.member("classes", Array(labels.indices)) { json, index in
      let (right, answers) = (Double(confusion[index, index]), answered[index, default: 0])
      let precision = answers == 0 ? nil : right / Double(answers)
      let recall = counts[index] == 0 ? nil : right / Double(counts[index])
      let thresholds = findings.thresholds.classes[index]
      json.object { json in
        json.member("label", labels[index])
        json.member("photos", counts[index])
        json.member("precision", precision)
        json.member("recall", recall)
        json.member("f1", TrainedLabels.f1(precision, recall))
        json.member("averagePrecision", Thresholds.averagePrecision(of: thresholds))
        json.member("threshold", Thresholds.best(of: thresholds)?.threshold)
        json.member("gain", gain(of: recall))
      }
    }
  }

  private static func f1(_ precision: Double?, _ recall: Double?) -> Double? {
    guard let precision, let recall, precision + recall > 0 else { return nil }
    return 2 * precision * recall / (precision + recall)
  }

  /// Returns the expected increase of a class's recall with twice as many photos.
  private func gain(of recall: Double?) -> Double? {
    guard let curve = findings.curve, let recall else { return nil }
    // Assumes that twice as many photos reduce a class's mistakes by the same factor as all mistakes.
    return (1 - recall) * (1 - curve.shareLeftByTwiceAsMany)
  }

  private func appendLearning(to json: inout JSONText) {
    guard let curve = findings.curve, let accuracyOfTwiceAsMany else { return }
    json.member("learning") { json in
      json.member("points", curve.points) { json, point in
        json.object { json in
          json.member("photos", point.photos)
          json.member("accuracy", 1 - point.error)
        }
      }
      json.member("forecast") { json in
        json.member("photos", 2 * curve.photoCount)
        json.member("accuracy", accuracyOfTwiceAsMany)
        json.member("uncertainty", TrainingSummary.forecastUncertainty)
      }
    }
  }

  /// The wrong answers, the most confident first.
  private var mistakes: [(photo: TrainingSet.Photo, given: Int, answered: Int?, score: Double)] {
    let judged = findings.judged
    let (answers, right) = (judged.answers, judged.areRight)
    let score = { (row: Int) in judged.probabilities[row][answers[row]] }
    let wrong = judged.photos.indices.filter { !right[$0] }.sorted { (-score($0), $0) < (-score($1), $1) }
    return wrong.map { row in
      (judged.photos[row], judged.photos[row].labels.first ?? 0, answers[row], score(row))
    }
  }

  /// Groups of probable duplicates, and pairs of a training photo and the same test photo.
  private var samePhotos: [[TrainingSet.Photo]] {
    let groups = findings.repeated.map { rows in rows.map { findings.judged.photos[$0] } }
    // Groups in two classes are errors in the labels, so they come first.
    let sorted = groups.filter { $0.areOfTwoClasses } + groups.filter { !$0.areOfTwoClasses }
    return Array(sorted.prefix(TrainedLabels.shownGroups))
      + findings.knownTestPhotos.map { [$0.learned, $0.test] }
  }
}

extension [TrainingSet.Photo] {
  /// Whether probable duplicates have different labels.
  var areOfTwoClasses: Bool { contains { $0.labels != self[0].labels } }
}

extension String {
  /// A line of the command as a sentence of the page.
  var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
