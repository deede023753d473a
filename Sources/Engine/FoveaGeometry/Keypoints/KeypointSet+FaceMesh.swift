// SPDX-License-Identifier: Apache-2.0

extension KeypointSet {
  /// The 468 points of MediaPipe's face mesh.
  ///
  /// A name has the side, the contour and the number of a point: "left eyebrow 276", "lips 0", "right face 3"
  /// for a point on no contour. The lines are those of the lips, the eyes, the eyebrows and the oval of the
  /// face.
  public static let faceMesh = FaceMesh(hasIrises: false).set

  /// The 478 points of MediaPipe's face mesh with attention: those of ``faceMesh``, then the middle and four
  /// points at the edge of the right and of the left iris.
  public static let faceMeshWithIrises = FaceMesh(hasIrises: true).set
}

/// The facts about MediaPipe's face mesh.
///
/// **Source:** MediaPipe, `face_mesh_connections.py` (contours, the sides of the person) and
/// `tensors_to_face_landmarks_with_attention.pbtxt` (irises). Counterparts follow from the numbers: the
/// triangles of the mesh are symmetric if the points off the middle up to 247 have those from 248 on as their
/// counterparts, in the same order.
private struct FaceMesh {
  private static let count = 468
  /// The points between both sides.
  private static let middle: Set<Int> = [
    0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 94, 151, 152, 164, 168, 175, 195, 197,
    199, 200,
  ]

  /// The lines over the middle.
  private static let lips = [
    [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291], [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
    [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308], [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
  ]
  private static let oval = [
    [
      10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176,
      149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109, 10,
    ]
  ]
  /// The lines of the right side; those of the left side are their counterparts.
  private static let rightEye = [
    [33, 7, 163, 144, 145, 153, 154, 155, 133], [33, 246, 161, 160, 159, 158, 157, 173, 133],
  ]
  private static let rightEyebrow = [[46, 53, 52, 65, 55], [70, 63, 105, 66, 107]]
  private static let rightIris = [[469, 470, 471, 472, 469]]

  private let hasIrises: Bool
  private let mirrored: [Int]

  init(hasIrises: Bool) {
    self.hasIrises = hasIrises
    var mirrored = Array(0..<Self.count)
    for (right, left) in zip((0..<248).filter { !Self.middle.contains($0) }, 248..<Self.count) {
      (mirrored[right], mirrored[left]) = (left, right)
    }
    // The middle, right, top, left and bottom of the right iris, then of the left one, in the same frame.
    if hasIrises { mirrored += [473, 476, 475, 474, 477, 468, 471, 470, 469, 472] }
    self.mirrored = mirrored
  }

  var set: KeypointSet {
    var names = mirrored.indices.map { _ in "face" }
    var edges: [(Int, Int)] = []
    func add(_ lines: [[Int]], _ name: String) {
      for line in lines {
        for point in line { names[point] = name }
        edges += zip(line, line.dropFirst())
      }
    }
    add(Self.lips, "lips")
    add(Self.oval, "face oval")
    for (lines, name) in [(Self.rightEye, "eye"), (Self.rightEyebrow, "eyebrow")] {
      add(lines, name)
      add(lines.map { $0.map { mirrored[$0] } }, name)
    }
    if hasIrises {
      add(Self.rightIris, "iris")
      add(Self.rightIris.map { $0.map { mirrored[$0] } }, "iris")
      (names[468], names[473]) = ("iris", "iris")
    }
    let points = names.indices.map { number in
      let side = mirrored[number] == number ? "" : Self.isRight(number) ? "right " : "left "
      return "\(side)\(names[number]) \(number)"
    }
    return KeypointSet(
      hasIrises ? "face-mesh-irises" : "face-mesh", points, edges: edges, mirrored: mirrored)
  }

  private static func isRight(_ number: Int) -> Bool { number < 248 || (468..<473).contains(number) }
}
