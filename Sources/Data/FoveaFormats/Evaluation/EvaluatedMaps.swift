// SPDX-License-Identifier: Apache-2.0

import Fovea
package import FoveaCore
package import FoveaEvaluation

/// The evaluation of class maps against the ground truth of their images.
package struct EvaluatedMaps: Sendable {
  /// The number of compared images.
  package let imageCount: Int
  /// The files that could not be compared, with their errors.
  package let failed: [(name: String, error: FoveaError)]
  /// The names of the classes by number; empty if there are none.
  package let labels: [String]
  /// The figures of the compared images.
  package let metrics: MapMetrics

  private static let shownClasses = 10

  /// Creates an evaluation of the images that were compared.
  package init(
    _ tally: MapTally, imageCount: Int, failed: [(name: String, error: FoveaError)], labels: [String]
  ) {
    self.imageCount = imageCount
    self.failed = failed
    self.labels = labels
    metrics = MapMetrics(tally)
  }

  /// Notes to show with the figures, as sentences without the final stop.
  package var notes: [String] {
    var notes: [String] = []
    if imageCount > 0, metrics.pixelCount == 0 {
      notes.append("the ground truth has only void pixels (\(MapTally.void)), so there are no figures")
    }
    let unnamed = metrics.classes.map(\.classIndex).filter { $0 >= labels.count }
    if !labels.isEmpty, !unnamed.isEmpty {
      let list = unnamed.prefix(Self.shownClasses).map(String.init).joined(separator: ", ")
      notes.append(
        "\(DecimalText.counted(unnamed.count, "class has", "classes have")) no label: \(list)"
          + (unnamed.count > Self.shownClasses ? ", …" : "")
          + "; the labels are those of the classes 0 to \(labels.count - 1)")
    }
    return notes
  }

  /// Returns the name of a class; nil if it has none.
  func label(of index: Int) -> String? { SegmentationMap.label(of: index, in: labels) }
}

extension EvaluatedMaps {
  /// All figures as one line of JSON; a figure that cannot be computed is null.
  package var jsonLine: String {
    JSONText.line(capacity: 4096) { json in
      json.member("images", imageCount)
      json.member("failed", failed.count)
      json.member("pixels", metrics.pixelCount)
      json.member("void", metrics.voidCount)
      json.member("unclassified", metrics.unclassifiedCount)
      json.member("meanIoU", metrics.meanIoU)
      json.member("frequencyWeightedIoU", metrics.frequencyWeightedIoU)
      json.member("pixelAccuracy", metrics.pixelAccuracy)
      json.member("meanAccuracy", metrics.meanAccuracy)
      json.objects("classes", metrics.classes) { json, figures in
        json.member("index", figures.classIndex)
        json.member("label", label(of: figures.classIndex))
        json.member("groundTruth", figures.truthCount)
        json.member("map", figures.mapCount)
        json.member("intersection", figures.intersection)
        json.member("union", figures.union)
        json.member("iou", figures.iou)
        json.member("accuracy", figures.accuracy)
      }
      let pairs = metrics.confusion.counts.sorted {
        ($0.key.given, $0.key.answered ?? .max) < ($1.key.given, $1.key.answered ?? .max)
      }
      json.objects("confusion", pairs) { json, pair in
        json.member("groundTruth", pair.key.given)
        json.member("map", pair.key.answered)
        json.member("pixels", pair.value)
      }
    }
  }

  /// Returns the figures as readable text.
  package func table(perClass: Bool) -> String {
    let text = summary + "\n\n" + figures
    return perClass && !metrics.classes.isEmpty ? text + "\n" + classTable : text
  }

  private var summary: String {
    var text = DecimalText.counted(imageCount, "image", "images")
    text += ", " + DecimalText.counted(metrics.pixelCount, "pixel", "pixels") + " of "
    text += DecimalText.counted(metrics.classes.count, "class", "classes")
    if metrics.voidCount > 0 {
      text += ", " + DecimalText.counted(metrics.voidCount, "void pixel", "void pixels")
    }
    if !failed.isEmpty { text += ", \(DecimalText.grouped(failed.count)) failed" }
    return text
  }

  private var figures: String {
    let figure = EvaluationTable.figure
    let weighted = figure(metrics.frequencyWeightedIoU)
    var rows = [
      ["mean IoU", figure(metrics.meanIoU), "mean of the classes that occur"],
      ["frequency-weighted IoU", weighted, "weighted by the pixels of each class"],
      ["pixel accuracy", figure(metrics.pixelAccuracy), "pixels with the right class"],
      ["mean accuracy", figure(metrics.meanAccuracy), "mean of the classes of the ground truth"],
    ]
    if metrics.unclassifiedCount > 0 {
      rows.append([
        "without a class", DecimalText.grouped(metrics.unclassifiedCount), "pixels, counted as wrong",
      ])
    }
    return TextTable.text(rows, leftAligned: [0, 2])
  }

  private var classTable: String {
    let mistakes = metrics.confusion.mostFrequentMistakes
    var rows = [["class", "IoU", "accuracy", "intersection", "union", "pixels", "confused with"]]
    for figures in metrics.classes {
      let mistake = mistakes[figures.classIndex].map {
        "\(name(of: $0.answered)) (\(DecimalText.grouped($0.count)))"
      }
      rows.append([
        name(of: figures.classIndex), EvaluationTable.figure(figures.iou),
        EvaluationTable.figure(figures.accuracy), DecimalText.grouped(figures.intersection),
        DecimalText.grouped(figures.union), DecimalText.grouped(figures.truthCount), mistake ?? "",
      ])
    }
    return TextTable.text(rows, leftAligned: [0, 6])
  }

  private func name(of index: Int) -> String { label(of: index) ?? "class \(index)" }
}
