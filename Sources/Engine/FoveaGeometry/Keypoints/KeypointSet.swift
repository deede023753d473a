// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The keypoints that a model finds on each object: their names, and the lines between them.
public struct KeypointSet: Sendable, Hashable {
  /// A line between two points, by their numbers from 0.
  public struct Edge: Sendable, Hashable {
    /// The point at the beginning.
    public var from: Int
    /// The point at the end.
    public var to: Int
  }

  /// The side of the body on which a point or an edge lies.
  public enum Side: Sendable, Hashable {
    /// The person's own left.
    case left
    /// Neither, or both: the nose, the line between the shoulders.
    case middle
    /// The person's own right.
    case right
  }

  /// The name of the set: `coco-body`, `blazepose`, `hand`, `face-mesh`, `face-mesh-irises`,
  /// `mediapipe-face`, `mediapipe-palm` or `mediapipe-pose`.
  public let name: String
  /// The name of each point, in the model's order: "left eye".
  public let points: [String]
  /// The lines of the skeleton.
  public let edges: [Edge]
  /// For each point, the number of its counterpart on the other side of the body; its own if it has none.
  ///
  /// Training tools of YOLO name the list `flip_idx`.
  package let mirrored: [Int]
  /// The spread of each point in annotations by people, in shares of the object's size, for the similarity of
  /// keypoints (OKS); nil if none is published.
  package let sigmas: [Double]?

  /// Creates a set whose counterparts have names that differ only in "left" and "right".
  init(_ name: String, _ points: [String], edges: [(Int, Int)], sigmas: [Double]? = nil) {
    let mirrored = points.indices.map { index in
      let words = points[index].split(separator: " ").map { word in
        word == "left" ? "right" : word == "right" ? "left" : String(word)
      }
      return points.firstIndex(of: words.joined(separator: " ")) ?? index
    }
    self.init(name, points, edges: edges, mirrored: mirrored, sigmas: sigmas)
  }

  /// Creates a set with the number of each point's counterpart.
  init(
    _ name: String, _ points: [String], edges: [(Int, Int)], mirrored: [Int], sigmas: [Double]? = nil
  ) {
    self.name = name
    self.points = points
    self.edges = edges.map { Edge(from: $0.0, to: $0.1) }
    self.mirrored = mirrored
    self.sigmas = sigmas
  }

  /// Whether there are so many points that only the lines between them are drawn.
  package var isDense: Bool { points.count > 100 }

  /// Returns the side of the body on which a point lies.
  /// - Precondition: There is a point with this number.
  public func side(of point: Int) -> Side {
    let words = points[point].split(separator: " ")
    return words.contains("left") ? .left : words.contains("right") ? .right : .middle
  }

  /// Returns the side of the body on which an edge lies: that of both points, or of the one that has a side
  /// if the other lies in the middle.
  public func side(of edge: Edge) -> Side {
    switch (side(of: edge.from), side(of: edge.to)) {
    case (let from, let to) where from == to: from
    case (.middle, let side), (let side, .middle): side
    default: .middle
    }
  }

  /// Finds the set of objects with this many points; nil if no known set has as many, or if the objects are
  /// not of its kind.
  /// - Parameters:
  ///   - count: The number of points.
  ///   - className: The name of the objects' class; nil if it is unknown, so that the number decides, unless
  ///     it is 4: those may be the corners of anything.
  /// - Returns: The set.
  public static func known(count: Int, className: String?) -> KeypointSet? {
    let name = className?.lowercased()
    let found = kinds.first { $0.set.points.count == count }
    guard let found, name.map({ name in found.words.contains { name.contains(part: $0) } }) ?? (count != 4)
    else {
      return nil
    }
    return found.set
  }

  /// Each set with words in the class names of its objects.
  private static let kinds: [(set: KeypointSet, words: [String])] = [
    (body, people), (blazePose, people), (hand, ["hand", "palm"]), (face, ["face"]), (palm, ["palm"]),
    (pose, people), (faceMesh, ["face"]), (faceMeshWithIrises, ["face"]),
  ]
  /// Words in the names of classes of people.
  package static let people = ["person", "people", "human", "body", "pose"]

  /// The 17 points of COCO's people.
  ///
  /// **Source:** cocodataset.org, "Keypoint Evaluation" (sigmas), and `person_keypoints_val2017.json`, the
  /// category's `keypoints` and `skeleton`.
  public static let body = KeypointSet(
    "coco-body",
    [
      "nose", "left eye", "right eye", "left ear", "right ear", "left shoulder", "right shoulder",
      "left elbow", "right elbow", "left wrist", "right wrist", "left hip", "right hip", "left knee",
      "right knee",
      "left ankle", "right ankle",
    ],
    edges: [
      (15, 13), (13, 11), (16, 14), (14, 12), (11, 12), (5, 11), (6, 12), (5, 6), (5, 7), (6, 8), (7, 9),
      (8, 10), (1, 2), (0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6),
    ],
    sigmas: [
      0.026, 0.025, 0.025, 0.035, 0.035, 0.079, 0.079, 0.072, 0.072, 0.062, 0.062, 0.107, 0.107, 0.087, 0.087,
      0.089, 0.089,
    ])

  /// The 33 points of MediaPipe's pose landmarks.
  ///
  /// **Source:** MediaPipe, `pose_connections.py` and the guide "Pose landmark detection".
  public static let blazePose = KeypointSet(
    "blazepose",
    [
      "nose", "left eye inner", "left eye", "left eye outer", "right eye inner", "right eye",
      "right eye outer", "left ear", "right ear", "mouth left", "mouth right", "left shoulder",
      "right shoulder", "left elbow", "right elbow", "left wrist", "right wrist", "left pinky", "right pinky",
      "left index", "right index", "left thumb", "right thumb", "left hip", "right hip", "left knee",
      "right knee", "left ankle", "right ankle", "left heel", "right heel", "left foot index",
      "right foot index",
    ],
    edges: [
      (0, 1), (1, 2), (2, 3), (3, 7), (0, 4), (4, 5), (5, 6), (6, 8), (9, 10), (11, 12), (11, 13), (13, 15),
      (15, 17), (15, 19), (15, 21), (17, 19), (12, 14), (14, 16), (16, 18), (16, 20), (16, 22), (18, 20),
      (11, 23), (12, 24), (23, 24), (23, 25), (24, 26), (25, 27), (26, 28), (27, 29), (28, 30), (29, 31),
      (30, 32), (27, 31), (28, 32),
    ])

  /// The 21 points of a hand.
  ///
  /// **Source:** MediaPipe, `hands_connections.py` and the guide "Hand landmarks detection".
  public static let hand = KeypointSet(
    "hand",
    [
      "wrist", "thumb base", "thumb knuckle", "thumb joint", "thumb tip", "index knuckle", "index joint",
      "index end joint", "index tip", "middle knuckle", "middle joint", "middle end joint", "middle tip",
      "ring knuckle", "ring joint", "ring end joint", "ring tip", "little knuckle", "little joint",
      "little end joint", "little tip",
    ],
    edges: [
      (0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 6), (6, 7), (7, 8), (5, 9), (9, 10), (10, 11), (11, 12),
      (9, 13), (13, 14), (14, 15), (15, 16), (13, 17), (0, 17), (17, 18), (18, 19), (19, 20),
    ])

  /// The six points of MediaPipe's face detectors.
  ///
  /// **Source:** MediaPipe, `face_detection.pbtxt`.
  public static let face = KeypointSet(
    "mediapipe-face",
    ["right eye", "left eye", "tip of the nose", "middle of the mouth", "right ear", "left ear"], edges: [])

  /// The seven points of MediaPipe's palm detector.
  ///
  /// **Source:** MediaPipe, `palm_detection_cpu.pbtxt`.
  public static let palm = KeypointSet(
    "mediapipe-palm",
    [
      "wrist", "index knuckle", "middle knuckle", "ring knuckle", "little knuckle", "thumb base",
      "thumb knuckle",
    ], edges: [])

  /// The four points of MediaPipe's body detector, from which landmark models get their crop.
  ///
  /// **Source:** MediaPipe, `pose_detection_cpu.pbtxt`.
  public static let pose = KeypointSet(
    "mediapipe-pose",
    ["middle of the hips", "edge of the body", "middle of the shoulders", "edge of the upper body"],
    edges: [])
}
