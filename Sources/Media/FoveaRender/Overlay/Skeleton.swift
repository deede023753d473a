// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The visible keypoints of an object and the lines between them, ready to paint.
struct Skeleton {
  /// A line between two points.
  struct Bone {
    var ends: [PixelPoint]
    var side: KeypointSet.Side
  }

  /// A point.
  struct Joint {
    var point: PixelPoint
    var side: KeypointSet.Side
  }

  private(set) var bones: [Bone] = []
  private(set) var joints: [Joint] = []
  /// The greatest width of a line.
  private(set) var widestLine = Double.infinity

  /// The longer side of a dense set's object, in widths of its widest line.
  private static let linesAcross = 100.0

  init(_ item: OverlayItem, threshold: Float) {
    self.init(item.keypoints, item.keypointScores, of: item.keypointSet, threshold: threshold)
  }

  /// Creates the skeleton of the points from a score of `threshold` on; without scores, of all.
  ///
  /// A dense set has lines only, thin ones on a small object: its points would cover the object.
  init(_ points: [PixelPoint], _ scores: [Float], of set: KeypointSet?, threshold: Float) {
    let set = set.flatMap { $0.points.count == points.count ? $0 : nil }
    let hasScores = scores.count == points.count
    let isVisible = points.indices.map { index in
      max(abs(points[index].x), abs(points[index].y)) <= CairoPainter.farthestCoordinate
        && (!hasScores || scores[index] >= threshold)
    }
    for index in points.indices where isVisible[index] && set?.isDense != true {
      joints.append(Joint(point: points[index], side: set?.side(of: index) ?? .middle))
    }
    guard let set else { return }
    if set.isDense {
      let box = BoundingBox.enclosing(points.indices.filter { isVisible[$0] }.map { points[$0] })
      widestLine = max(1, max(box.width, box.height) / Self.linesAcross)
    }
    for edge in set.edges where isVisible[edge.from] && isVisible[edge.to] {
      bones.append(Bone(ends: [points[edge.from], points[edge.to]], side: set.side(of: edge)))
    }
  }

  /// The number of points, counting those of lines again.
  var pointCount: Int { joints.count + 2 * bones.count }

  /// Paints the lines with halos, then the points.
  func paint(_ color: RGBColor, metrics: OverlayMetrics, _ painter: borrowing CairoPainter) {
    let width = min(metrics.lineWidth, widestLine)
    let haloWidth = metrics.haloWidth * width / metrics.lineWidth
    for bone in bones {
      painter.stroke(
        bone.ends, isClosed: false, width: width + 2 * haloWidth, color: color.textColor,
        alpha: OverlayLayout.haloAlpha)
    }
    for bone in bones {
      painter.stroke(bone.ends, isClosed: false, width: width, color: color.tone(of: bone.side))
    }
    for joint in joints {
      dot(joint, radius: metrics.jointRadius + metrics.haloWidth, color: color.textColor, painter)
      dot(joint, radius: metrics.jointRadius, color: color.tone(of: joint.side), painter)
    }
  }

  private func dot(
    _ joint: Joint, radius: Double, color: RGBColor, _ painter: borrowing CairoPainter
  ) {
    let box = BoundingBox(
      x: joint.point.x - radius, y: joint.point.y - radius, width: 2 * radius, height: 2 * radius)
    painter.fill(
      box,
      radii: CornerRadii(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius),
      color: color)
  }
}

extension RGBColor {
  /// Returns the tone of a side of the body: lighter on the left, darker on the right.
  fileprivate func tone(of side: KeypointSet.Side) -> RGBColor {
    func mixed(with other: UInt8, _ share: Double) -> RGBColor {
      func channel(_ value: UInt8) -> UInt8 {
        UInt8((Double(value) * (1 - share) + Double(other) * share).rounded())
      }
      return RGBColor(red: channel(red), green: channel(green), blue: channel(blue))
    }
    return switch side {
    case .left: mixed(with: 255, 0.55)
    case .middle: self
    case .right: mixed(with: 0, 0.4)
    }
  }
}
