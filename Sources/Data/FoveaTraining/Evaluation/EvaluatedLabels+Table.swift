// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

extension EvaluatedLabels {
  /// Returns the figures as readable text.
  package func table(perClass: Bool) -> String {
    let text = summary + "\n\n" + figures + "\n" + averages
    return perClass ? text + "\n" + classTable : text
  }

  private var summary: String {
    var text = DecimalText.counted(metrics.photoCount, "photo", "photos") + " of "
    text += DecimalText.counted(metrics.classes.count { $0.photoCount > 0 }, "class", "classes")
    text += ", \(DecimalText.counted(labels.count, "label", "labels"))"
    text += ", threshold \(DecimalText.fixed(threshold, places: 2))"
    if !failed.isEmpty { text += ", \(DecimalText.grouped(failed.count)) could not be opened" }
    return text
  }

  private var figures: String {
    let error = "± \(EvaluatedLabels.figure(metrics.standardError))"
    var rows = [["accuracy", EvaluatedLabels.figure(metrics.accuracy), error]]
    if labels.count > LabelMetrics.topCount {
      let remark = metrics.topFive == nil ? "needs the five highest scores of each photo" : ""
      rows.append(["top 5", EvaluatedLabels.figure(metrics.topFive), remark])
    }
    if !metrics.isMultiLabel {
      rows += [
        [
          "balanced accuracy", EvaluatedLabels.figure(metrics.balancedAccuracy), "mean recall of the classes",
        ],
        ["log loss", EvaluatedLabels.figure(metrics.logLoss), logLossRemark],
        ["calibration error", EvaluatedLabels.figure(metrics.calibrationError), calibrationRemark],
      ]
    }
    rows.append([
      "missing", DecimalText.grouped(metrics.missingCount), "photos without a prediction, counted as wrong",
    ])
    return TextTable.text(rows, leftAligned: [0, 2])
  }

  private var logLossRemark: String {
    metrics.logLoss == nil ? "needs all scores of each photo, with a sum of 1" : ""
  }

  private var calibrationRemark: String {
    guard metrics.calibrationError == nil else { return "" }
    return answers.contains { !$0.isWhole && $0.answers.isEmpty }
      ? "needs the highest score of each photo" : "needs probabilities, but the scores have a sum above 1"
  }

  private var averages: String {
    let rows: [(String, KeyPath<LabelMetrics.Averages, Double?>)] = [
      ("precision", \.precision), ("recall", \.recall), ("F1", \.f1),
      ("average precision", \.averagePrecision),
    ]
    return TextTable.text(
      [["", "mean of classes", "all predictions"]]
        + rows.map { name, path in
          [
            name, EvaluatedLabels.figure(metrics.macro[keyPath: path]),
            EvaluatedLabels.figure(metrics.micro[keyPath: path]),
          ]
        }, leftAligned: [0])
  }

  private var classTable: String {
    let mistakes = metrics.confusion.mostFrequentMistakes
    var rows = [["class", "photos", "predictions", "precision", "recall", "F1", "AP", "confused with"]]
    for index in shownClasses {
      let figures = metrics.classes[index]
      rows.append([
        labels[index].printable, DecimalText.grouped(figures.photoCount),
        DecimalText.grouped(figures.answerCount), EvaluatedLabels.figure(figures.precision),
        EvaluatedLabels.figure(figures.recall), EvaluatedLabels.figure(figures.f1),
        EvaluatedLabels.figure(figures.averagePrecision),
        mistakes[index].map { "\(labels[$0.answered].printable) (\(DecimalText.grouped($0.count)))" } ?? "",
      ])
    }
    if metrics.isMultiLabel { for index in rows.indices { rows[index].removeLast() } }
    return TextTable.text(rows, leftAligned: [0, 7])
  }

  private static func figure(_ value: Double?) -> String {
    value.map { DecimalText.fixed($0, places: 4) } ?? "–"
  }
}
