// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The measures of an overlay in pixels, derived from the size of the image.
struct OverlayMetrics: Hashable {
  /// The width of the coloured line, in whole pixels, so that straight edges are crisp.
  let lineWidth: Double
  /// The width of the edge of a mask.
  let maskLineWidth: Double
  /// The width of the line of a box that has a mask, in whole pixels.
  let thinLineWidth: Double
  /// The radius of a keypoint.
  let jointRadius: Double
  /// The visible width of the halo on each side of the line.
  let haloWidth: Double
  /// The radius of a box's corners, measured at the middle of the line.
  let cornerRadius: Double
  /// The font size, the height of an em.
  let fontSize: Double
  /// The height of a chip, in whole pixels.
  let chipHeight: Double
  /// The space on the left and right of the text.
  let chipPadding: Double
  /// The radius of a chip's free corners.
  let chipRadius: Double
  /// The width of a trail at its newest point.
  let trailWidth: Double
  /// The length of the arrow of a counting line.
  let arrowLength: Double

  /// Computes the measures for an image of `size`.
  init(size: PixelSize, scale: Double) {
    let shorter = Double(min(size.width, size.height))
    // A line takes at most an eighth of a tiny image, so that the image stays visible.
    let widest = max(1, (shorter / 8).rounded(.down))
    lineWidth = min(max(1, (max(2, shorter * 0.004) * scale).rounded()), widest)
    maskLineWidth = min(max(2, shorter * 0.002) * scale, widest)
    thinLineWidth = max(1, (lineWidth / 2).rounded(.down))
    jointRadius = max(1.5, lineWidth * 0.9)
    haloWidth = max(1, (lineWidth * 0.3).rounded())
    cornerRadius = lineWidth * 2
    // Text grows slightly slower than the image, as large images are shown on large screens.
    fontSize = max(11, shorter * 0.022 + 4.5) * scale
    chipHeight = (fontSize * 1.62).rounded()
    chipPadding = (fontSize * 0.5).rounded()
    chipRadius = fontSize * 0.36
    trailWidth = lineWidth * 1.75
    arrowLength = fontSize * 1.9
  }
}
