// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import Testing

@Suite struct ScikitLearnTests {
  /// The figures in the order of the fixture, by their names.
  static func named(_ metrics: LabelMetrics) -> [(name: String, value: Double?)] {
    [
      ("accuracy", metrics.accuracy), ("top five", metrics.topFive),
      ("balanced accuracy", metrics.balancedAccuracy), ("macro precision", metrics.macro.precision),
      ("macro recall", metrics.macro.recall), ("macro F1", metrics.macro.f1),
      ("macro average precision", metrics.macro.averagePrecision),
      ("micro precision", metrics.micro.precision), ("micro recall", metrics.micro.recall),
      ("micro F1", metrics.micro.f1), ("micro average precision", metrics.micro.averagePrecision),
      ("log loss", metrics.logLoss), ("calibration error", metrics.calibrationError),
      ("sum of precisions", metrics.curve.reduce(0) { $0 + $1.precision }),
      ("sum of recalls", metrics.curve.reduce(0) { $0 + $1.recall }),
      ("sum of thresholds", metrics.curve.reduce(0) { $0 + $1.threshold }),
    ]
  }

  @Test func `200 random cases match the figures of scikit-learn to 1e-6`() throws {
    let expected = try LabelFigures.read()
    #expect(expected.scikitLearn == "1.9.1")
    #expect(expected.cases.count == 200)
    for (number, expected) in expected.cases.enumerated() {
      let random = RandomLabels(number: UInt64(number))
      let metrics = LabelEvaluator(
        classCount: random.classCount, threshold: random.threshold, isMultiLabel: random.isMultiLabel
      ).evaluate(random.photos)
      #expect(metrics.photoCount == expected.photos, "case \(number)")
      #expect(metrics.missingCount == expected.missing, "case \(number)")
      #expect(expected.figures.count == 16)
      for (figure, value) in zip(Self.named(metrics), expected.figures) {
        #expect(isSame(figure.value, value), "case \(number), \(figure.name): \(figure.value as Any)")
      }
      #expect(metrics.classes.count == expected.classes.count, "case \(number)")
      for (index, (figures, values)) in zip(metrics.classes, expected.classes).enumerated() {
        let found = [figures.precision, figures.recall, figures.f1, figures.averagePrecision]
        for (one, value) in zip(found, values) {
          #expect(isSame(one, value), "case \(number), class \(index): \(found), \(values)")
        }
      }
    }
  }
}
