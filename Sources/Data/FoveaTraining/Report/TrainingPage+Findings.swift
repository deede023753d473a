// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
package import FoveaRender

extension TrainedLabels {
  /// The report: one HTML page that holds everything it shows.
  /// - Parameters:
  ///   - title: The heading.
  ///   - settings: Every option with its value.
  ///   - command: The command that makes the model again; nil where there is none.
  ///   - thumbnails: Gives the thumbnail of a photo; nil leaves photos out.
  /// - Returns: The page.
  package func page(
    title: String, settings: [HTMLReport.Fact], command: String?,
    thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) -> TrainingPage {
    var page = TrainingPage(title: title, labels: labels)
    page.summary = TrainingSummary(self).sentences.map(\.asSentence)
    page.advice = advice
    page.figures = [pageFigures("Out of fold", figures, findings.judged)]
    if let test = findings.test, let testFigures {
      page.figures.append(pageFigures("Test photos", testFigures, test))
    }
    page.threshold = TrainingPage.Threshold(
      value: findings.threshold, reason: thresholdReason, rightAnswers: figures.precision,
      unanswered: figures.unanswered)
    let confusion = confusion
    page.classes = pageClasses(confusion)
    page.confusion = TrainingPage.Confusion(confusion)
    page.curve = TrainingPage.ThresholdCurve(
      points: findings.thresholds.all.thinned(to: 200).map {
        .init(threshold: $0.threshold, precision: $0.precision, recall: $0.recall)
      }, area: Thresholds.averagePrecision(of: findings.thresholds.all))
    page.reliability = TrainingPage.Reliability(bins: reliability)
    page.learning = learningCurve
    page.mistakes = mistakes(thumbnails)
    page.suspects = suspects(thumbnails)
    page.suspectsExpected = Int(findings.issues.reduce(0) { $0 + $1.probability }.rounded())
    page.samePhotos = samePhotos(thumbnails)
    page.leftOut = failed.map { .init(name: $0.name, reason: $0.error.message) }
    page.backbones = pageBackbones
    page.settings = settings
    page.command = command
    return page
  }

  private var advice: [String] {
    var advice: [String] = []
    if findings.set.otherClass == nil, !findings.isMultiLabel {
      advice.append(TrainingPage.adviceWithoutOther)
    }
    advice += findings.set.notes.map(\.asSentence)
    return advice
  }

  private var thresholdReason: String {
    switch record.thresholdOrigin {
    case .given: "given"
    case .precision(let precision): "the least with a precision of \(DecimalText.fixed(precision, places: 2))"
    case .largestF1: "the largest F1"
    }
  }

  private var pageBackbones: [TrainingPage.Backbone] {
    trials.map { trial in
      TrainingPage.Backbone(
        name: trial.name, accuracy: trial.accuracy, standardError: trial.standardError,
        numbers: trial.dimension, byteCount: trial.byteCount, isChosen: trial.name == backbone)
    }
  }

  private func pageFigures(
    _ name: String, _ figures: TrainingFigures, _ judged: JudgedPhotos
  ) -> TrainingPage.Figures {
    var shown = TrainingPage.Figures(
      name: name, photos: figures.photoCount, accuracy: figures.accuracy, standardError: figures.standardError
    )
    shown.logLoss = figures.logLoss
    shown.calibrationError = figures.calibrationError
    return shown
  }

  // MARK: Classes

  private func pageClasses(_ confusion: ConfusionTable) -> [TrainingPage.ClassFigures] {
    let counts = findings.judged.targets.counts(classCount: labels.count)
    let (mistakes, answered) = (confusion.mostFrequentMistakes, confusion.answerCounts)
    return labels.indices.map { index in
      var figures = TrainingPage.ClassFigures(photos: counts[index])
      let right = confusion[index, index]
      let answers = answered[index, default: 0]
      let thresholds = findings.thresholds.classes[index]
      figures.precision = answers == 0 ? nil : Double(right) / Double(answers)
      figures.recall = counts[index] == 0 ? nil : Double(right) / Double(counts[index])
      if let precision = figures.precision, let recall = figures.recall, precision + recall > 0 {
        figures.f1 = 2 * precision * recall / (precision + recall)
      }
      figures.averagePrecision = Thresholds.averagePrecision(of: thresholds)
      figures.threshold = Thresholds.best(of: thresholds)?.threshold
      figures.takenFor = mistakes[index].map { .init(label: $0.answered, photos: $0.count) }
      // What twice as many photos take from mistakes on the whole, they take from those of a class.
      if let curve = findings.curve, let recall = figures.recall {
        figures.gain = (1 - recall) * (1 - curve.shareLeftByTwiceAsMany)
      }
      return figures
    }
  }

  /// How often a class was answered as each class, by the likeliest answer.
  private var confusion: ConfusionTable {
    var table = ConfusionTable()
    for (photo, answer) in zip(findings.judged.photos, findings.judged.answers) {
      table.add(
        given: photo.labels.contains(answer) ? answer : photo.labels.first ?? answer, answered: answer)
    }
    return table
  }

  private var reliability: [TrainingPage.Reliability.Bin] {
    let judged = findings.judged
    let bins = ReliabilityBin.all(
      judged.probabilities.map { $0.max() ?? 0 }, areRight: judged.areRight, count: 15)
    return bins.compactMap(\.shown)
  }

  private var learningCurve: TrainingPage.LearningCurve? {
    guard let curve = findings.curve, let accuracyOfTwiceAsMany else { return nil }
    return TrainingPage.LearningCurve(
      points: curve.points.map { .init(photos: $0.photos, accuracy: 1 - $0.error) },
      forecast: .init(
        photos: 2 * Double(curve.photoCount), accuracy: accuracyOfTwiceAsMany,
        uncertainty: TrainingSummary.forecastUncertainty))
  }
}

extension TrainingPage.Confusion {
  /// What is shown of a table.
  /// - Parameters:
  ///   - table: The photos of each pair.
  ///   - places: Where the page has each class; nil where it has all of them, in their order.
  init(_ table: ConfusionTable, _ places: [Int: Int]? = nil) {
    var photos: [Cell: Int] = [:]
    for (pair, count) in table.counts {
      let place = { (index: Int) in places.map { $0[index] ?? -1 } ?? index }
      photos[Cell(given: place(pair.given), answered: pair.answered.map(place))] = count
    }
    self.init(photos)
  }
}

extension [Thresholds.Point] {
  /// The first point of each of many equal parts of the thresholds, and the last point: most scores are near 0.
  func thinned(to count: Int) -> [Thresholds.Point] {
    guard self.count > count else { return self }
    var kept: [Thresholds.Point] = []
    var part = -1
    for point in self where Int(point.threshold * Double(count)) > part {
      part = Int(point.threshold * Double(count))
      kept.append(point)
    }
    if let last, kept.last != last { kept.append(last) }
    return kept
  }
}

extension String {
  /// A line of the command as a sentence of the page.
  var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
