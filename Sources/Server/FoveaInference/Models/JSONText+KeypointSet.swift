// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaGeometry

extension JSONText {
  /// Writes the names, edges and counterparts of keypoints, and the least score of a keypoint that is drawn;
  /// nothing without a set.
  mutating func member(_ set: KeypointSet?, threshold: Float) {
    guard let set else { return }
    member("keypointSet") { json in
      json.member("name", set.name)
      json.member("points", set.points)
      json.member("edges", set.edges) { json, edge in json.array([edge.from, edge.to]) { $0.integer($1) } }
      json.member("mirrored", set.mirrored)
    }
    member("keypointThreshold", Double(threshold), places: 6)
  }
}
#endif
