// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaSystem

/// A report of detection figures as one line of JSON; a figure that cannot be given is null.
enum EvaluationJSON {
  static func line(of report: DetectionReport) -> String {
    var json = JSONText()
    json.object { json in
      json.member("images", report.images)
      json.member("groundTruth", report.groundTruth)
      json.member("crowds", report.crowds)
      json.member("detections", report.detections)
      json.member("leftOut", report.leftOut)
      json.member("classAgnostic", report.options.isClassAgnostic)
      json.key("iou")
      json.array(report.options.iouThresholds) { json, threshold in json.literal(threshold) }
      json.key("metrics")
      append(report.metrics, to: &json)
      json.key("categories")
      json.array(report.categories) { json, category in
        json.object { json in
          json.member("id", category.id)
          json.member("name", category.name)
          json.member("groundTruth", category.groundTruth)
          json.member("crowds", category.crowds)
          json.member("detections", category.detections)
          json.key("metrics")
          append(category.metrics, to: &json)
        }
      }
    }
    return json.text
  }

  private static func append(_ metrics: DetectionMetrics, to json: inout JSONText) {
    json.object { json in
      for metric in metrics.named {
        json.key(named: metric.name)
        if let value = metric.value { json.literal(value) } else { json.null() }
      }
    }
  }
}
