// SPDX-License-Identifier: Apache-2.0

/// The rules that decide which boxes count in an evaluation of tracks.
public enum TrackingBenchmark: Sendable, Hashable {
  /// MOT Challenge 2015: ground truth with 0 in the seventh column does not count; there are no classes.
  case mot15
  /// MOT Challenge 2016, with the same rules as 2017.
  case mot16
  /// MOT Challenge 2017: only pedestrians (class 1) with a seventh column other than 0 count.
  ///
  /// A tracker's box on a person on a vehicle, a static person, a distractor or a reflection (classes 2, 7, 8
  /// and 12) is neither right nor wrong.
  case mot17
  /// MOT Challenge 2020: as 2017, but vehicles outside the benchmark (class 6) are distractors too.
  case mot20
  /// Custom files: all boxes of the ground truth count except those with 0 in the seventh column.
  case plain
  /// KITTI, one class at a time.
  ///
  /// Counts objects of the class that are neither cut by the image's border nor hidden beyond "largely". A
  /// tracker's box does not count if it is on another object or on a neighbouring class (vans for cars,
  /// sitting persons for pedestrians), or if it is on no object and is at most 25 pixels high or has more
  /// than half its area in a region marked DontCare.
  case kitti(KITTIClass)

  /// Finds the MOT Challenge benchmark with a name, in any case, or "plain"; nil for others.
  package init?(name: String) {
    switch name.lowercased() {
    case "mot15", "2d_mot_2015": self = .mot15
    case "mot16": self = .mot16
    case "mot17": self = .mot17
    case "mot20": self = .mot20
    case "plain": self = .plain
    default: return nil
    }
  }

  /// The name for display.
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

  /// The number of columns that a line of the ground truth needs.
  package var groundTruthColumns: Int {
    switch self {
    case .mot15: 7
    case .mot16, .mot17, .mot20: 8
    case .plain: 6
    case .kitti: 10
    }
  }
}
