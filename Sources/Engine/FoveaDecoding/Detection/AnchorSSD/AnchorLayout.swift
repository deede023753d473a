// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// The prior boxes of a detector, one per row of its outputs.
struct AnchorLayout: Sendable, Hashable {
  /// A prior box in fractions of the input, as centre and size.
  struct Anchor: Sendable, Hashable {
    var centerX: Float
    var centerY: Float
    var width: Float
    var height: Float
  }

  let name: String
  let inputWidth: Int
  let inputHeight: Int
  let anchors: [Anchor]

  /// The anchors of MobileNet SSDs: six maps with strides 16 to 512, scales 0.2 to 0.95, three anchors per
  /// cell on the first map and six on the others; 1917 at 300 × 300.
  ///
  /// **Source:** Liu et al., "SSD: Single Shot MultiBox Detector", section 2.2; TensorFlow Object Detection
  /// API, `multiple_grid_anchor_generator.py`, `create_ssd_anchors`: ratios 1, 2, ½, 3, ⅓ and one more square
  /// of scale √(s_k · s_k+1). The same as MediaPipe's `ssd_anchors_calculator.cc` with
  /// `reduce_boxes_in_lowest_layer`.
  static func ssd(width: Int, height: Int) -> AnchorLayout {
    let scales: [Float] = [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0]
    let shorter = Float(min(width, height))
    var grid = AnchorGrid()
    for map in 0..<6 {
      let scale = scales[map]
      var shapes: [(scale: Float, ratio: Float)]
      if map == 0 {
        shapes = [(0.1, 1), (scale, 2), (scale, 0.5)]
      } else {
        shapes = [1, 2, 0.5, 3, 1.0 / 3].map { (scale, $0) }
        shapes.append(((scale * scales[map + 1]).squareRoot(), 1))
      }
      let stride = 16 << map
      grid.add(
        columns: cells(width, stride), rows: cells(height, stride),
        sizes: shapes.map { shape in
          let root = shape.ratio.squareRoot()
          return (
            shape.scale * root * (shorter / Float(width)), shape.scale / root * (shorter / Float(height))
          )
        })
    }
    return AnchorLayout(name: "ssd", inputWidth: width, inputHeight: height, anchors: grid.anchors)
  }

  /// The anchors of SSDs with a feature pyramid: levels 3 to 7, two scales, three ratios; 12,804 for
  /// 320 × 320.
  ///
  /// **Source:** TensorFlow Object Detection API, `multiscale_grid_anchor_generator.py`, with the
  /// configuration of its model zoo (`ssd_mobilenet_v2_fpnlite_320x320_coco17_tpu-8.config`): anchor_scale 4,
  /// ratios 1, 2, ½, scales_per_octave 2. Ratios are the outer loop; if the stride of a map does not divide
  /// the side, the map starts at 0.
  static func pyramidSSD(width: Int, height: Int) -> AnchorLayout {
    var grid = AnchorGrid()
    for level in 3...7 {
      let stride = Float(1 << level)
      var sizes: [(Float, Float)] = []
      for ratio in [1, 2, 0.5] as [Float] {
        for scale in [1, Float(2).squareRoot()] {
          let root = ratio.squareRoot()
          sizes.append((4 * stride * scale * root / Float(width), 4 * stride * scale / root / Float(height)))
        }
      }
      grid.add(
        columns: cells(width, 1 << level), rows: cells(height, 1 << level), sizes: sizes,
        stepX: stride / Float(width), stepY: stride / Float(height),
        offsetX: width.isMultiple(of: 1 << level) ? 0.5 : 0,
        offsetY: height.isMultiple(of: 1 << level) ? 0.5 : 0)
    }
    return AnchorLayout(name: "ssd-fpn", inputWidth: width, inputHeight: height, anchors: grid.anchors)
  }

  /// The anchors of EfficientDet: levels 3 to 7, three scales, three ratios; 19,206 at 320 × 320.
  ///
  /// **Source:** google/automl, `efficientdet/keras/anchors.py` (class Anchors) and `hparams_config.py`:
  /// ratios 1, 2, ½ within each of the scales 1, 2^⅓, 2^⅔; the stride of a level is input size ÷ map size.
  /// `scale` is `anchor_scale`: 3 for Lite0 to Lite2, 4 for Lite3 and Lite4.
  static func efficientDet(width: Int, height: Int, scale: Float) -> AnchorLayout {
    var grid = AnchorGrid()
    for level in 3...7 {
      let columns = cells(width, 1 << level)
      let rows = cells(height, 1 << level)
      var sizes: [(Float, Float)] = []
      for octave in [1, 1.259_921, 1.587_401_1] as [Float] {
        for ratio in [1, 2, 0.5] as [Float] {
          let root = ratio.squareRoot()
          sizes.append((scale * octave * root / Float(columns), scale * octave / root / Float(rows)))
        }
      }
      grid.add(columns: columns, rows: rows, sizes: sizes)
    }
    return AnchorLayout(name: "efficientdet", inputWidth: width, inputHeight: height, anchors: grid.anchors)
  }

  /// The `anchor_scale` of the published EfficientDet-Lite models, by the side of their input.
  ///
  /// **Source:** `hparams_config.py` in TFLite Model Maker's copy of EfficientDet: 3 for Lite0 (320), Lite1
  /// (384) and Lite2 (448); the default, 4, for Lite3 (512) and Lite4 (640).
  static let efficientDetScales: [Int: Float] = [320: 3, 384: 3, 448: 3, 512: 4, 640: 4]

  /// Counts the anchors of `ssd` without creating them.
  static func ssdCount(width: Int, height: Int) -> Int {
    (0..<6).reduce(0) { count, map in
      count + cells(width, 16 << map) * cells(height, 16 << map) * (map == 0 ? 3 : 6)
    }
  }

  /// Counts the anchors on levels 3 to 7, with `perCell` in each cell.
  static func pyramidCount(width: Int, height: Int, perCell: Int) -> Int {
    (3...7).reduce(0) { count, level in
      count + cells(width, 1 << level) * cells(height, 1 << level) * perCell
    }
  }

  /// Creates the layout from the anchors in the metadata.
  init(_ metadata: AnchorMetadata, width: Int, height: Int) {
    self.init(
      name: "metadata", inputWidth: width, inputHeight: height,
      anchors: metadata.anchors.map {
        Anchor(centerX: $0.centerX, centerY: $0.centerY, width: $0.width, height: $0.height)
      })
  }

  private init(name: String, inputWidth: Int, inputHeight: Int, anchors: [Anchor]) {
    self.name = name
    self.inputWidth = inputWidth
    self.inputHeight = inputHeight
    self.anchors = anchors
  }

  private static func cells(_ side: Int, _ stride: Int) -> Int { (side - 1) / stride + 1 }
}

/// Anchors on maps of cells, row-major; the anchors of a cell are adjacent.
private struct AnchorGrid {
  var anchors: [AnchorLayout.Anchor] = []

  /// Adds a map; steps and sizes are fractions of the input, offsets are fractions of a step.
  mutating func add(
    columns: Int, rows: Int, sizes: [(width: Float, height: Float)], stepX: Float? = nil, stepY: Float? = nil,
    offsetX: Float = 0.5, offsetY: Float = 0.5
  ) {
    for row in 0..<rows {
      let centerY = stepY.map { (Float(row) + offsetY) * $0 } ?? (Float(row) + offsetY) / Float(rows)
      for column in 0..<columns {
        let centerX =
          stepX.map { (Float(column) + offsetX) * $0 } ?? (Float(column) + offsetX) / Float(columns)
        for size in sizes {
          anchors.append(.init(centerX: centerX, centerY: centerY, width: size.width, height: size.height))
        }
      }
    }
  }
}
