// SPDX-License-Identifier: Apache-2.0

/// Which boxes count in an evaluation of tracks.
public enum TrackingBenchmark: Sendable, Hashable {
  /// MOT Challenge 2015: ground truth whose seventh column is 0 does not count; there are no classes.
  case mot15
  /// MOT Challenge 2016, the same rules as 2017.
  case mot16
  /// MOT Challenge 2017: only pedestrians (class 1) with a seventh column other than 0 count.
  ///
  /// A tracker's box that lies on a person on a vehicle, a static person, a distractor or a reflection (classes 2,
  /// 7, 8 and 12) is neither right nor wrong.
  case mot17
  /// MOT Challenge 2020: as 2017, and vehicles other than those of the benchmark (class 6) are distractors too.
  case mot20
  /// Files of one's own: all boxes of the ground truth count but those whose seventh column is there and 0.
  case plain
  /// KITTI, one class at a time.
  ///
  /// Objects of the class count that are neither cut by the image's border nor hidden beyond "largely". A
  /// tracker's box does not count where it lies on one of the others or on a neighbouring class (vans for cars,
  /// sitting persons for pedestrians), or where it lies on nothing and is at most 25 pixels high or for more than half
  /// in a region marked DontCare.
  case kitti(KITTIClass)

  /// MOT Challenge's benchmark with the given name in any case, or "plain"; nil for others.
  public init?(name: String) {
    switch name.lowercased() {
    case "mot15", "2d_mot_2015": self = .mot15
    case "mot16": self = .mot16
    case "mot17": self = .mot17
    case "mot20": self = .mot20
    case "plain": self = .plain
    default: return nil
    }
  }

  /// The name, as it is printed.
  public var name: String {
    switch self {
    case .mot15: "MOT15"
    case .mot16: "MOT16"
    case .mot17: "MOT17"
    case .mot20: "MOT20"
    case .plain: "plain"
    case .kitti(let kind): "KITTI \(kind)"
    }
  }

  /// How many columns a line of the ground truth needs.
  public var groundTruthColumns: Int {
    switch self {
    case .mot15: 7
    case .mot16, .mot17, .mot20: 8
    case .plain: 6
    case .kitti: 10
    }
  }
}
