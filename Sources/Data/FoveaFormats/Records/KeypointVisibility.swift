// SPDX-License-Identifier: Apache-2.0

/// The visibility of a keypoint in files of COCO and YOLO, by its number there.
///
/// **Source:** cocodataset.org, "Data format", keypoint detection.
enum KeypointVisibility: Int {
  /// Not labelled: the position is unknown.
  case unlabelled = 0
  /// Labelled but hidden.
  case hidden = 1
  /// Labelled and visible.
  case visible = 2

  /// The least score of a point that counts as visible, and of one that counts as hidden.
  private static let (least, leastHidden): (Float, Float) = (0.5, 0.05)

  /// Creates the visibility of a point with a score; that of a score that is not a number is `unlabelled`.
  init(score: Float) {
    self = score >= Self.least ? .visible : score >= Self.leastHidden ? .hidden : .unlabelled
  }

  /// The score of a point whose file has only the visibility; it leads to the same visibility again.
  var score: Float {
    switch self {
    case .unlabelled: 0
    case .hidden: 0.25
    case .visible: 1
    }
  }
}
