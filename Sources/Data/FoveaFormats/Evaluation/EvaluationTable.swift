// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation

/// A readable table of detection figures.
package enum EvaluationTable {
  package static func text(of report: DetectionReport, perClass: Bool) -> String {
    var text = summary(of: report) + "\n\n" + metrics(of: report)
    if perClass && !report.options.isClassAgnostic { text += "\n" + categories(of: report) }
    return text
  }

  private static func summary(of report: DetectionReport) -> String {
    var text = DecimalText.counted(report.images, "image", "images") + ", "
    text += DecimalText.counted(report.groundTruth, "object", "objects")
    if report.crowds > 0 { text += " and " + DecimalText.counted(report.crowds, "crowd", "crowds") }
    text += ", " + DecimalText.counted(report.detections, "detection", "detections")
    if report.options.isClassAgnostic { return text + ", categories ignored" }
    return text + ", " + DecimalText.counted(report.categories.count, "category", "categories")
  }

  private static func metrics(of report: DetectionReport) -> String {
    let thresholds = report.options.iouThresholds
    let all = thresholds == DetectionEvaluator.cocoThresholds ? "0.50:0.95" : list(thresholds)
    let shape = report.options.shape
    let iou = shape == .keypoints ? "OKS" : shape == .masks ? "mask IoU" : "IoU"
    let ofKeypoints = [
      "\(iou) \(all), 20 detections per image and category", "\(iou) 0.50", "\(iou) 0.75",
      "32² to 96² pixels",
      "from 96² pixels",
    ]
    let ofBoxes = [
      "\(iou) \(all)", "\(iou) 0.50", "\(iou) 0.75", "up to 32² pixels", "32² to 96² pixels",
      "from 96² pixels",
      "1 detection per image and category", "10 detections", "100 detections", "up to 32² pixels",
      "32² to 96² pixels", "from 96² pixels",
    ]
    let rows = zip(report.metrics.named, shape == .keypoints ? ofKeypoints + ofKeypoints : ofBoxes).map {
      metric, meaning in
      [metric.name, figure(metric.value), meaning]
    }
    return TextTable.text(rows, leftAligned: [0, 2])
  }

  private static func list(_ thresholds: [Double]) -> String {
    thresholds.map { DecimalText.short($0, places: 4) }.joined(separator: ", ")
  }

  private static func categories(of report: DetectionReport) -> String {
    var rows = [
      [
        "category", "AP", "AP50", "AP75", report.options.shape == .keypoints ? "AR" : "AR100", "objects",
        "crowds", "detections",
      ]
    ]
    for category in report.categories {
      let metrics = category.metrics
      rows.append([
        category.name.printable, figure(metrics.averagePrecision), figure(metrics.averagePrecision50),
        figure(metrics.averagePrecision75), figure(metrics.averageRecall100),
        DecimalText.grouped(category.groundTruth), DecimalText.grouped(category.crowds),
        DecimalText.grouped(category.detections),
      ])
    }
    return TextTable.text(rows, leftAligned: [0])
  }

  /// Returns a figure with four decimals; a dash if it cannot be computed.
  static func figure(_ value: Double?) -> String {
    value.map { DecimalText.fixed($0, places: 4) } ?? "–"
  }
}
