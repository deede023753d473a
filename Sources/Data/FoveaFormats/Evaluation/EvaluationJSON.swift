// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaEvaluation

/// A report of detection figures as one line of JSON; a figure that cannot be computed is null.
package enum EvaluationJSON {
  package static func line(of report: DetectionReport) -> String {
    JSONText.text { json in
      json.member("images", report.images)
      json.member("groundTruth", report.groundTruth)
      json.member("crowds", report.crowds)
      json.member("detections", report.detections)
      json.member("leftOut", report.leftOut)
      json.member("classAgnostic", report.options.isClassAgnostic)
      if report.options.shape != .boxes { json.member("shape", report.options.shape.rawValue) }
      json.member("iou", report.options.iouThresholds)
      json.member("metrics", report.metrics)
      json.objects("categories", report.categories) { json, category in
        json.member("id", category.id)
        json.member("name", category.name)
        json.member("groundTruth", category.groundTruth)
        json.member("crowds", category.crowds)
        json.member("detections", category.detections)
        json.member("metrics", category.metrics)
      }
    }
  }
}

extension DetectionMetrics: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    for metric in named {
      json.key(named: metric.name)
      json.literal(metric.value)
    }
  }
}
