// SPDX-License-Identifier: Apache-2.0

/// The prior boxes of an SSD, one for each row of its outputs.
///
/// **Source:** Liu et al., "SSD: Single Shot MultiBox Detector", section 2.2: per feature map, scales s_k and aspect
/// ratios, and one square of scale √(s_k · s_k+1).
struct AnchorLayout: Sendable, Hashable {
  /// A prior box in fractions of the input: centre and size.
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

  /// The layout of the embedded localizer: six maps of an input of 192 × 192 pixels, 738 anchors.
  static let localizer192 = AnchorLayout(
    name: "localizer-192", inputWidth: 192, inputHeight: 192, mapSizes: [12, 6, 3, 2, 1, 1],
    scales: [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0])

  /// Every layout that is known.
  static let all = [localizer192]

  /// Row-major over each square map, anchors innermost; the first map has three anchors, the others six.
  private init(name: String, inputWidth: Int, inputHeight: Int, mapSizes: [Int], scales: [Float]) {
    self.name = name
    self.inputWidth = inputWidth
    self.inputHeight = inputHeight
    var anchors: [Anchor] = []
    for (map, size) in mapSizes.enumerated() {
      let scale = scales[map]
      var shapes: [(scale: Float, ratio: Float)]
      if map == 0 {
        shapes = [(0.1, 1), (scale, 2), (scale, 0.5)]
      } else {
        shapes = [1, 2, 0.5, 3, 1.0 / 3].map { (scale, $0) }
        shapes.append(((scale * scales[map + 1]).squareRoot(), 1))
      }
      for row in 0..<size {
        for column in 0..<size {
          for shape in shapes {
            let root = shape.ratio.squareRoot()
            anchors.append(
              Anchor(
                centerX: (Float(column) + 0.5) / Float(size), centerY: (Float(row) + 0.5) / Float(size),
                width: shape.scale * root, height: shape.scale / root))
          }
        }
      }
    }
    self.anchors = anchors
  }
}
