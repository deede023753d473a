// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry

/// The keypoints of an object as COCO writes them: x, y and a third number for each.
///
/// **Source:** cocodataset.org, "Data format" and "Results format", keypoint detection.
struct WrittenKeypoints {
  private let points: [PixelPoint]
  private let scores: [Float]

  /// Returns nil for an object without keypoints.
  init?(_ object: DetectedObject) {
    guard !object.keypoints.isEmpty else { return nil }
    points = object.keypoints
    scores =
      object.keypointScores.count == points.count
      ? object.keypointScores : [Float](repeating: 1, count: points.count)
  }

  /// The number of points.
  var count: Int { points.count }

  /// Appends the members of an annotation: 2 for a visible point, of a score of `threshold` or more, 1 for a
  /// hidden one, and three zeros for one that is not labelled.
  func appendLabels(threshold: Float, to json: inout JSONText) {
    let flags = scores.map { KeypointVisibility(score: $0, threshold: threshold).rawValue }
    json.member("keypoints", Array(points.indices)) { json, index in
      let (point, flag) = (points[index], flags[index])
      json.number(flag == 0 ? 0 : point.x, places: 2)
      json.number(flag == 0 ? 0 : point.y, places: 2)
      json.number(Double(flag), places: 0)
    }
    json.member("num_keypoints", flags.count { $0 > 0 })
  }

  /// Appends the member of a result, with the scores of the points.
  func appendScores(to json: inout JSONText) {
    json.member("keypoints", Array(points.indices)) { json, index in
      json.number(points[index].x, places: 2)
      json.number(points[index].y, places: 2)
      json.number(Double(scores[index]), places: 6)
    }
  }

  /// Appends the members of a category whose objects have this many points: their names and the skeleton,
  /// with points from 1.
  static func appendCategory(_ count: Int, _ className: String, to json: inout JSONText) {
    let set = KeypointSet.known(count: count, className: className)
    let names =
      set?.points.map { $0.split(separator: " ").joined(separator: "_") }
      ?? (1...count).map { "point_\($0)" }
    json.member("keypoints", names) { $0.string($1) }
    json.member("skeleton", set?.edges ?? []) { json, edge in
      json.array([edge.from + 1, edge.to + 1]) { $0.integer($1) }
    }
  }
}
