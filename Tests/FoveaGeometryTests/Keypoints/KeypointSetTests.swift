// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@Suite struct KeypointSetTests {
  @Test(
    arguments: [
      (17, "person", "coco-body"), (17, nil, "coco-body"), (17, "horse", nil), (33, "Person", "blazepose"),
      (21, "left hand", "hand"), (21, "person", nil), (6, "face", "mediapipe-face"),
      (7, "palm", "mediapipe-palm"), (21, "palm", "hand"), (4, "person", "mediapipe-pose"), (4, nil, nil),
      (0, nil, nil), (18, "person", nil), (468, "face", "face-mesh"), (468, nil, "face-mesh"),
      (478, "Face", "face-mesh-irises"), (478, "person", nil),
    ] as [(Int, String?, String?)])
  func `the number of points and the class show the set`(_ count: Int, _ name: String?, _ set: String?) {
    #expect(KeypointSet.known(count: count, className: name)?.name == set)
  }

  @Test(arguments: [
    KeypointSet.body, .blazePose, .hand, .face, .palm, .pose, .faceMesh, .faceMeshWithIrises,
  ])
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

  @Test(arguments: [(KeypointSet.faceMesh, 468, 124), (.faceMeshWithIrises, 478, 132)])
  func `the lines of a face are those of MediaPipe`(_ set: KeypointSet, _ points: Int, _ edges: Int) {
    #expect(set.points.count == points && set.edges.count == edges && set.isDense)
    let pairs = Set(set.edges.map { Set([$0.from, $0.to]) })
    #expect(pairs.count == edges)
    // Lips, an eye, an eyebrow and the oval, whose counterparts are lines too.
    for pair in [[61, 146], [13, 312], [263, 249], [398, 362], [276, 283], [109, 10]] {
      #expect(pairs.contains(Set(pair)) && pairs.contains(Set(pair.map { set.mirrored[$0] })))
    }
    #expect(pairs == Set(pairs.map { Set($0.map { set.mirrored[$0] }) }))
  }

  @Test func `names of a face have side, contour and number`() {
    let set = KeypointSet.faceMeshWithIrises
    for (number, name, counterpart) in [
      (0, "lips 0", 0), (61, "right lips 61", 291), (33, "right eye 33", 263),
      (105, "right eyebrow 105", 334),
      (10, "face oval 10", 10), (234, "right face oval 234", 454), (151, "face 151", 151),
      (3, "right face 3", 248), (247, "right face 247", 467), (468, "right iris 468", 473),
      (469, "right iris 469", 476), (477, "left iris 477", 472),
    ] {
      #expect(set.points[number] == name && set.mirrored[number] == counterpart, "\(number)")
    }
    #expect(KeypointSet.faceMesh.points == Array(set.points.prefix(468)))
    #expect(KeypointSet.faceMesh.mirrored == Array(set.mirrored.prefix(468)))
  }
}
