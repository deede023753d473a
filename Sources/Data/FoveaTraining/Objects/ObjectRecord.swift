// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The detector with its figures: the part of `training.json` that a classifier of photos does not have.
struct ObjectRecord: Sendable {
  var detector: String
  /// The maximum number of boxes per image.
  var maxObjects: Int
  var figures: ObjectFigures
  var testFigures: ObjectFigures?

  /// Appends the members of a JSON object.
  func append(to json: inout JSONText) {
    json.member("detector", detector)
    json.member("maxObjects", maxObjects)
    json.member("outOfFold") { figures.append(to: &$0) }
    if let testFigures { json.member("test") { testFigures.append(to: &$0) } }
  }
}

extension ObjectFigures {
  /// Appends the members of a JSON object.
  func append(to json: inout JSONText) {
    json.member("images", imageCount)
    json.member("objects", objectCount)
    json.member("boxes", boxCount)
    json.member("boxRecall", boxRecall)
    json.member("namedShare", namedShare)
    json.member("rightLabels", rightLabels)
    json.member("averagePrecision50", averagePrecision50)
    json.member("averagePrecision50WithRightLabels", averagePrecision50WithRightLabels)
    json.member("bestThreshold", bestThreshold)
  }
}
