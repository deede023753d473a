// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@Suite struct KeypointSetTests {
  @Test(
    arguments: [
      (17, "person", "coco-body"), (17, nil, "coco-body"), (17, "horse", nil), (33, "Person", "blazepose"),
      (21, "left hand", "hand"), (21, "person", nil), (6, "face", "mediapipe-face"),
      (7, "palm", "mediapipe-palm"), (21, "palm", "hand"), (4, "person", "mediapipe-pose"), (4, nil, nil),
      (0, nil, nil), (18, "person", nil),
    ] as [(Int, String?, String?)])
  func `the number of points and the class show the set`(_ count: Int, _ name: String?, _ set: String?) {
    #expect(KeypointSet.known(count: count, className: name)?.name == set)
  }

  @Test(arguments: [KeypointSet.body, .blazePose, .hand, .face, .palm, .pose])
  func `edges join points, and left is the mirror of right`(_ set: KeypointSet) {
    let points = set.points.indices
    #expect(Set(set.points).count == set.points.count)
    #expect(set.edges.allSatisfy { points.contains($0.from) && points.contains($0.to) && $0.from != $0.to })
    #expect(points.allSatisfy { set.mirrored[set.mirrored[$0]] == $0 })
    for point in points {
      let isMirrored = set.mirrored[point] != point
      #expect(isMirrored == (set.side(of: point) != .middle), "\(set.points[point])")
    }
    #expect(set.sigmas.map(\.count) == nil || set.sigmas?.count == set.points.count)
  }
}
