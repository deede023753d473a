// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
package import FoveaRender

extension EvaluatedLabels {
  private static let shownMistakes = 60
  private static let curvePoints = 200

  /// The report: one HTML page that holds everything it shows; of the labels, those that photos have or were answered.
  /// - Parameters:
  ///   - title: The heading.
  ///   - settings: What was evaluated, and by what.
  ///   - command: The command that makes the report again.
  ///   - thumbnails: Gives the thumbnail of a photo; nil leaves photos out.
  /// - Returns: The page.
  package func page(
    title: String, settings: [HTMLReport.Fact], command: String?,
    thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) -> TrainingPage {
    let shown = shownClasses
    let places = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
    var page = TrainingPage(title: title, labels: shown.map { labels[$0] })
    page.figures = [pageFigures]
    page.threshold = TrainingPage.Threshold(
      value: threshold, reason: isThresholdGiven ? "given" : "", rightAnswers: metrics.micro.precision,
      unanswered: Double(metrics.missingCount) / Double(max(1, metrics.photoCount)))
    page.classes = pageClasses(shown, places)
    page.confusion = TrainingPage.Confusion(metrics.confusion, places)
    page.curve = TrainingPage.ThresholdCurve(
      points: metrics.curve.thinned(to: EvaluatedLabels.curvePoints).map {
        .init(threshold: $0.threshold, precision: $0.precision, recall: $0.recall)
      }, area: metrics.micro.averagePrecision)
    if !metrics.reliability.isEmpty {
      page.reliability = TrainingPage.Reliability(bins: metrics.reliability.compactMap(\.shown))
    }
    page.mistakes = mistakes(places, thumbnails)
    page.leftOut = failed.map { .init(name: $0.name, reason: $0.error.message) }
    page.settings = settings
    page.command = command
    return page
  }

  private var pageFigures: TrainingPage.Figures {
    var figures = TrainingPage.Figures(
      name: "Test photos", photos: metrics.photoCount, accuracy: metrics.accuracy,
      standardError: metrics.standardError)
    if labels.count > LabelMetrics.topCount { figures.topFive = metrics.topFive }
    figures.balancedAccuracy = metrics.balancedAccuracy
    figures.logLoss = metrics.logLoss
    figures.calibrationError = metrics.calibrationError
    figures.macro = metrics.macro.shown
    figures.micro = metrics.micro.shown
    return figures
  }

  private func pageClasses(_ shown: [Int], _ places: [Int: Int]) -> [TrainingPage.ClassFigures] {
    let mistakes = metrics.confusion.mostFrequentMistakes
    return shown.map { index in
      let found = metrics.classes[index]
      var figures = TrainingPage.ClassFigures(photos: found.photoCount)
      figures.precision = found.precision
      figures.recall = found.recall
      figures.f1 = found.f1
      figures.averagePrecision = found.averagePrecision
      figures.takenFor = mistakes[index].flatMap { mistake in
        places[mistake.answered].map { .init(label: $0, photos: mistake.count) }
      }
      return figures
    }
  }

  /// The surest wrong answers, and photos without one.
  private func mistakes(
    _ places: [Int: Int], _ thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) -> [TrainingPage.Mistake] {
    let wrong = answers.indices.filter { index in
      guard let first = answers[index].answers.first, Double(first.score) >= threshold else { return true }
      return !answers[index].given.contains(Int(first.classIndex))
    }
    let score = { (index: Int) in answers[index].answers.first.map { Double($0.score) } ?? 0 }
    let sorted = wrong.sorted { (-score($0), $0) < (-score($1), $1) }
    return sorted.prefix(EvaluatedLabels.shownMistakes).map { index in
      let isAnswered = score(index) >= threshold
      return TrainingPage.Mistake(
        photo: .init(name: photos[index].name, thumbnail: thumbnails(photos[index])),
        given: answers[index].given.first.flatMap { places[$0] } ?? 0,
        answered: isAnswered ? answers[index].answers.first.flatMap { places[Int($0.classIndex)] } : nil,
        score: score(index))
    }
  }
}

extension LabelMetrics.Averages {
  /// The same for the page.
  fileprivate var shown: TrainingPage.Averages {
    .init(precision: precision, recall: recall, f1: f1, averagePrecision: averagePrecision)
  }
}

extension ReliabilityBin {
  /// The same for the page; nil without photos.
  var shown: TrainingPage.Reliability.Bin? {
    guard count > 0 else { return nil }
    return .init(
      from: lower, to: upper, photos: count, score: probabilitySum / Double(count),
      right: Double(rightCount) / Double(count))
  }
}
