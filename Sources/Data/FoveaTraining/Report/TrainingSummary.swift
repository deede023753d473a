// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The results of training, in plain words.
package struct TrainingSummary: Sendable {
  private let trained: TrainedLabels

  /// The error of the learning curve's forecasts: three of four are within it.
  static let forecastUncertainty = 0.03

  package init(_ trained: TrainedLabels) { self.trained = trained }

  /// The lines that the command prints, except the line with the folder.
  package var lines: [String] { [photos, backbone] + sentences + [other].compactMap(\.self) }

  /// The quality of the model.
  package var sentences: [String] {
    [figures("out of fold ", trained.figures)]
      + (trained.testFigures.map { [figures("test photos ", $0)] } ?? [])
      + [known, forecast].compactMap(\.self)
  }

  private var photos: String {
    let findings = trained.findings
    var text =
      "\(DecimalText.grouped(findings.judged.photos.count)) photos of \(trained.labels.count) classes"
    if !findings.issues.isEmpty { text += ", \(findings.issues.count) probably mislabelled" }
    let copies = findings.repeated.reduce(0) { $0 + $1.count - 1 }
    if copies > 0 { text += ", \(copies) probably \(copies == 1 ? "a copy" : "copies")" }
    let split = findings.repeated.count { rows in rows.map { findings.judged.photos[$0] }.areOfTwoClasses }
    if split > 0 { text += ", \(DecimalText.counted(split, "group", "groups")) of them in two classes" }
    if !trained.failed.isEmpty { text += ", \(trained.failed.count) could not be opened" }
    return text
  }

  /// The figures on crops.
  var crops: String { figures("crops       ", trained.figures, of: "crops") }

  var backbone: String {
    let head = trained.findings.head
    return
      "backbone \(trained.backbone), \(DecimalText.grouped(trained.record.dimension)) numbers per "
      + "\(trained.findings.areCrops ? "crop" : "photo"); strength \(TrainingSummary.short(head.strength)), "
      + "temperature \(DecimalText.fixed(head.temperature, places: 2))"
  }

  private func figures(_ name: String, _ figures: TrainingFigures, of kind: String = "photos") -> String {
    var text =
      "\(name) \(percent(figures.accuracy)) % right, "
      + "log loss \(DecimalText.fixed(figures.logLoss, places: 3)), "
      + "calibration error \(DecimalText.fixed(figures.calibrationError, places: 3)); threshold "
      + "\(DecimalText.fixed(figures.threshold, places: 2)): "
    text += figures.precision.map { "\(percent($0)) % of predictions right, " } ?? "no predictions, "
    return text + "\(percent(figures.unanswered)) % of \(kind) without one"
  }

  /// The figures on photos that show a class; other photos are numerous and easy, and are left out.
  private var known: String? {
    guard let other = trained.findings.set.otherClass, !trained.findings.isMultiLabel else { return nil }
    let judged = trained.findings.judged
    let rows = judged.photos.indices.filter { !judged.photos[$0].labels.contains(other) }
    let right = judged.areRight
    let share = Double(rows.count { right[$0] }) / Double(max(1, rows.count))
    return
      "of the photos of \(DecimalText.counted(other, "class", "classes")), "
      + "without '\(TrainingSet.otherName)', \(percent(share)) % right out of fold"
  }

  private var forecast: String? {
    trained.accuracyOfTwiceAsMany.map {
      "expected with twice as many photos: about \(DecimalText.fixed(100 * $0, places: 0)) %"
    }
  }

  private var other: String? {
    guard trained.findings.set.otherClass == nil, !trained.findings.isMultiLabel else { return nil }
    return
      "every photo gets one of these classes; \(program: .flag("other")) FOLDER adds photos of other things"
  }

  private func percent(_ share: Double) -> String { DecimalText.fixed(100 * share, places: 1) }

  /// Formats 0.0001 and 3.2e-05, as strengths are usually written.
  static func short(_ value: Double) -> String {
    let exponent = Int((log(value) / log(10)).rounded(.down))
    guard exponent < -4 else { return DecimalText.short(value, places: 6) }
    let digits = DecimalText.fixed(value / exp(Double(exponent) * log(10)), places: 1)
    return "\(digits)e\(exponent)"
  }
}

extension TrainedLabels {
  /// The expected share of right answers with twice as many photos; nil if it cannot be estimated.
  ///
  /// More photos do no harm, although a curve fitted to few mistakes may predict more of them.
  var accuracyOfTwiceAsMany: Double? {
    guard let curve = findings.curve, curve.points.count > 1 else { return nil }
    return max(figures.accuracy, 1 - curve.errorOfTwiceAsMany)
  }
}
