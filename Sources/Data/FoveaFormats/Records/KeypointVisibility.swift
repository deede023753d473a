// SPDX-License-Identifier: Apache-2.0

/// The visibility of a keypoint in files of COCO and YOLO, by its number there.
///
/// **Source:** cocodataset.org, "Data format", keypoint detection.
package enum KeypointVisibility: Int {
  /// Not labelled: the position is unknown.
  case unlabelled = 0
  /// Labelled but hidden.
  case hidden = 1
  /// Labelled and visible.
  case visible = 2

  /// The usual least score of a visible point.
  package static let usualThreshold: Float = 0.3
  /// The least score of a hidden point below the threshold.
  private static let leastHidden: Float = 0.05

  /// Creates the visibility of a point with a score; that of a score that is not a number is `unlabelled`.
  /// - Parameters:
  ///   - score: The score of the point.
  ///   - threshold: The least score of a visible one.
  init(score: Float, threshold: Float) {
    self = score >= threshold ? .visible : score >= Self.leastHidden ? .hidden : .unlabelled
  }

  /// The score of a point whose file has only the visibility; it leads to the same visibility
  /// again with the usual threshold.
  var score: Float {
    switch self {
    case .unlabelled: 0
    case .hidden: 0.25
    case .visible: 1
    }
  }
}
