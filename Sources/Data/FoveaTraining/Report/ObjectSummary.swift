// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The results of training on objects, in plain words.
package struct ObjectSummary: Sendable {
  private let trained: TrainedObjects

  package init(_ trained: TrainedObjects) { self.trained = trained }

  /// The lines that the command prints, except the line with the folder.
  package var lines: [String] {
    let summary = TrainingSummary(trained.classifier)
    return [images, summary.backbone, summary.crops] + sentences
  }

  /// The quality of detection and names, with advice.
  package var sentences: [String] {
    [figures("out of fold ", trained.figures)]
      + (trained.testFigures.map { [figures("test images ", $0)] } ?? [])
      + [threshold, limit].compactMap(\.self)
  }

  private var threshold: String? {
    trained.figures.bestThresholdText.map {
      "named boxes have the largest F1 from a score of \($0): use it as "
        + "\(program: .option("threshold")) of \(program: .call("detect"))"
    }
  }

  /// The sentence on objects without a box, which no name makes up for; nil if most objects have one.
  package var limit: String? {
    guard (trained.testFigures ?? trained.figures).isLimitedByBoxes else { return nil }
    return
      """
      most objects have no box of '\(trained.record.detector)', which no label can make up for: try another \
      detector, such as \(program: .flag("detector")) detector for the embedded one with 80 classes, or \
      train your own
      """
  }

  private var images: String {
    let (figures, classes) = (
      trained.figures, trained.classifier.labels.count { $0 != TrainingSet.otherName }
    )
    let learned = trained.classifier.figures.photoCount
    var text =
      "\(DecimalText.grouped(figures.imageCount)) images, "
      + "\(DecimalText.grouped(figures.objectCount)) boxes of "
      + "\(classes) \(classes == 1 ? "class" : "classes"); \(DecimalText.grouped(learned)) crops for training"
    if !trained.failed.isEmpty {
      text += ", \(DecimalText.counted(trained.failed.count, "image", "images")) could not be opened"
    }
    return text
  }

  private func figures(_ name: String, _ figures: ObjectFigures) -> String {
    var text =
      "\(name) boxes of '\(trained.record.detector)' match \(percent(figures.boxRecall)) % of objects"
    if let named = figures.namedShare { text += ", \(percent(named)) % of these boxes are named" }
    if let right = figures.rightLabels { text += ", \(percent(right)) % of them right" }
    if let precision = figures.averagePrecision50, let best = figures.averagePrecision50WithRightLabels {
      text += "; AP50 \(percent(precision)) %, \(percent(best)) % if every name were right"
    }
    return text
  }

  private func percent(_ share: Double) -> String { DecimalText.fixed(100 * share, places: 1) }
}
