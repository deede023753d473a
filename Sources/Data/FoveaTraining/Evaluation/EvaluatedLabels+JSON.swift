// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

extension EvaluatedLabels {
  /// 0, 0.05 … 0.95, 0.96 … 0.99, as on AutoML's page.
  private static let thresholds = (0..<20).map { Double($0 * 5) / 100 } + (96...99).map { Double($0) / 100 }

  /// All figures as one line of JSON; a figure that cannot be computed is null.
  package var jsonLine: String {
    JSONText.line(capacity: 4096) { append(to: &$0, labels) }
  }

  /// Appends the members of a JSON object, with `labels` as text for JSON or for a page.
  func append(to json: inout JSONText, _ labels: [String]) {
    json.member("photos", metrics.photoCount)
    json.member("failed", failed.count)
    json.member("missing", metrics.missingCount)
    json.member("threshold", threshold)
    json.member("multiLabel", metrics.isMultiLabel)
    json.member("accuracy", metrics.accuracy)
    json.member("standardError", metrics.standardError)
    json.member("top5", metrics.topFive)
    json.member("balancedAccuracy", metrics.balancedAccuracy)
    json.member("macro") { EvaluatedLabels.append(metrics.macro, to: &$0) }
    json.member("micro") { EvaluatedLabels.append(metrics.micro, to: &$0) }
    json.member("logLoss", metrics.logLoss)
    json.member("calibrationError", metrics.calibrationError)
    appendThresholds(to: &json)
    appendClasses(labels, to: &json)
    json.member(confusion: metrics.confusion, labels)
  }

  private static func append(_ averages: LabelMetrics.Averages, to json: inout JSONText) {
    json.member("precision", averages.precision)
    json.member("recall", averages.recall)
    json.member("f1", averages.f1)
    json.member("averagePrecision", averages.averagePrecision)
  }

  private func appendThresholds(to json: inout JSONText) {
    json.key("thresholds")
    json.array(EvaluatedLabels.thresholds) { json, threshold in
      let point = metrics.curve.first { $0.threshold >= threshold }
      json.object { json in
        json.member("threshold", threshold)
        json.member("precision", point?.precision)
        json.member("recall", metrics.curve.isEmpty ? nil : point?.recall ?? 0)
      }
    }
  }

  private func appendClasses(_ labels: [String], to json: inout JSONText) {
    json.key("classes")
    json.array(shownClasses) { json, index in
      let figures = metrics.classes[index]
      json.object { json in
        json.member("label", labels[index])
        json.member("photos", figures.photoCount)
        json.member("answers", figures.answerCount)
        json.member("precision", figures.precision)
        json.member("recall", figures.recall)
        json.member("f1", figures.f1)
        json.member("averagePrecision", figures.averagePrecision)
      }
    }
  }
}
