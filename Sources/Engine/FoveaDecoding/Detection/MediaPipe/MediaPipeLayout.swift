// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The anchors of one of MediaPipe's face, palm and body detectors: centres only, as their size is 1 × 1.
struct MediaPipeLayout: Sendable, Hashable {
  let family: DetectorFamily
  /// The side of the square input in pixels; raw numbers are divided by it.
  let side: Int
  /// The number of values in a raw box: centre, size, and a pair for each keypoint.
  let values: Int
  /// The strides of the layers; layers with the same stride share their cells.
  let strides: [Int]
  /// The anchors per cell in each layer: one of ratio 1, and one more if the graph interpolates scales.
  let anchorsPerLayer: Int

  /// The known layouts.
  ///
  /// **Source:** MediaPipe 0.10.14, options of SsdAnchorsCalculator in `face_detection_short_range.pbtxt`,
  /// `face_detection_full_range.pbtxt` (interpolated_scale_aspect_ratio 0), `palm_detection_cpu.pbtxt`,
  /// `pose_detection_cpu.pbtxt` (0.8.2's for 128 × 128), and 0.8.3's `face_detection_back.pbtxt` for
  /// 256 × 256; all with fixed_anchor_size and an offset of 0.5.
  static let known = [
    MediaPipeLayout(
      family: .mediaPipeFace, side: 128, values: 16, strides: [8, 16, 16, 16], anchorsPerLayer: 2),
    MediaPipeLayout(family: .mediaPipeFace, side: 192, values: 16, strides: [4], anchorsPerLayer: 1),
    MediaPipeLayout(
      family: .mediaPipeFace, side: 256, values: 16, strides: [16, 32, 32, 32], anchorsPerLayer: 2),
    MediaPipeLayout(
      family: .mediaPipePalm, side: 192, values: 18, strides: [8, 16, 16, 16], anchorsPerLayer: 2),
    MediaPipeLayout(
      family: .mediaPipePose, side: 224, values: 12, strides: [8, 16, 32, 32, 32], anchorsPerLayer: 2),
    MediaPipeLayout(
      family: .mediaPipePose, side: 128, values: 12, strides: [8, 16, 16, 16], anchorsPerLayer: 2),
  ]

  /// The number of keypoints per box.
  var keypointCount: Int { (values - 4) / 2 }

  /// The strides with the number of anchors per cell, in the order of the rows.
  private var levels: [(stride: Int, perCell: Int)] {
    var levels: [(stride: Int, perCell: Int)] = []
    for stride in strides {
      if levels.last?.stride == stride {
        levels[levels.count - 1].perCell += anchorsPerLayer
      } else {
        levels.append((stride, anchorsPerLayer))
      }
    }
    return levels
  }

  /// The number of anchors, computed without creating them.
  var count: Int {
    levels.reduce(0) { $0 + (side / $1.stride) * (side / $1.stride) * $1.perCell }
  }

  /// The centre of each anchor in fractions of the input, row by row; the anchors of a cell are adjacent.
  var centers: [(x: Float, y: Float)] {
    var centers: [(x: Float, y: Float)] = []
    centers.reserveCapacity(count)
    for (stride, perCell) in levels {
      let cells = side / stride
      for y in 0..<cells {
        for x in 0..<cells {
          let center = ((Float(x) + 0.5) / Float(cells), (Float(y) + 0.5) / Float(cells))
          for _ in 0..<perCell { centers.append(center) }
        }
      }
    }
    return centers
  }
}
