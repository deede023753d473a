// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

extension ComparedModels {
  /// Returns all figures as one line of JSON, schema `compare/1`; a figure that is not defined is null.
  /// - Parameters:
  ///   - first: The first model's name.
  ///   - second: The second model's.
  /// - Returns: The line.
  package func jsonLine(first: String, second: String) -> String {
    JSONText.line(capacity: 1024) { json in
      json.member("schema", "compare/1")
      json.member("first", first)
      json.member("second", second)
      appendMembers(to: &json)
    }
  }

  /// Adds the members `task`, `agreement`, `accuracy`, `cpu`, `bytes` and `photos`.
  package func appendMembers(to json: inout JSONText) {
    json.member("task", task.rawValue)
    json.member("agreement") { answers.appendMembers(to: &$0, threshold: threshold) }
    json.member("accuracy", accuracy)
    json.member("cpu", times)
    json.member("bytes") { json in
      json.member("first", byteCounts.first)
      json.member("second", byteCounts.second)
    }
    json.member("photos") { json in
      json.member("compared", photoCount)
      json.member("failed", failed.count)
    }
  }
}

extension Agreement {
  fileprivate func appendMembers(to json: inout JSONText, threshold: Float?) {
    json.member("value", value)
    switch self {
    case .boxes(let boxes):
      json.member("measure", "f1")
      json.member("threshold", Double(threshold ?? BoxAgreement.usualThreshold), places: 6)
      json.member("overlap", BoxAgreement.leastOverlap)
      json.member("matched", boxes.matchedCount)
      json.member("first", boxes.firstCount)
      json.member("second", boxes.secondCount)
      json.member("meanOverlap", boxes.meanOverlap)
    case .labels(let labels):
      json.member("measure", "firstLabels")
      json.member("shared", labels.sharedCount)
      json.member("images", labels.imageCount)
      json.member("meanChange", labels.meanChange)
    case .maps(let maps):
      json.member("measure", "meanIoU")
      json.member("equalPixels", maps.equalShare)
    case .numbers(let numbers):
      json.member("measure", "meanCosine")
      json.member("outputs", numbers.pairCount)
    }
  }
}

extension ComparedModels.Accuracy: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.member("measure", kind.rawValue)
    json.member("first", first)
    json.member("second", second)
    json.member("ratio", ratio)
    json.member("photos", photoCount)
  }
}

extension TurnTimer.Times: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.member("firstMilliseconds", first.milliseconds)
    json.member("secondMilliseconds", second.milliseconds)
    json.member("ratio", ratio)
  }
}
