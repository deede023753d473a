// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension OverlayLayout {
  /// Paints masks, lines and zones, trails, boxes with the edges of masks and keypoints, and then chips, so
  /// that no line crosses text; large objects are painted before small ones.
  func paint(with painter: borrowing CairoPainter) {
    let bySize = pieces.sorted { $0.outline.area > $1.outline.area }
    for piece in bySize where !piece.mask.isEmpty {
      painter.fill(outlines: piece.mask, color: piece.color, alpha: Self.maskAlpha)
    }
    painter.coarse { painter in
      for counter in counters { counter.paintShape(metrics: metrics, painter) }
      for piece in pieces where !piece.trail.isEmpty { trail(piece, painter) }
    }
    for piece in bySize {
      line(piece, halo: true, painter)
      line(piece, halo: false, painter)
      if !piece.mask.isEmpty {
        painter.coarse {
          $0.stroke(outlines: piece.mask, width: metrics.maskLineWidth, color: piece.color)
        }
      }
      piece.skeleton.paint(piece.color, metrics: metrics, painter)
    }
    for counter in counters { counter.paintChip(metrics: metrics, capHeight: capHeight, painter) }
    for piece in pieces {
      guard let chip = piece.chip else { continue }
      paint(chip, of: piece, painter)
    }
  }

  private func trail(_ piece: Piece, _ painter: borrowing CairoPainter) {
    guard let ribbon = TrailRibbon(piece.trail, spacing: 2 * metrics.trailWidth) else { return }
    for band in ribbon.bands(width: metrics.trailWidth, halo: metrics.haloWidth, steps: 3) {
      painter.fill(band.outline, color: haloColor(piece.color), alpha: Self.haloAlpha * band.alpha)
    }
    for band in ribbon.bands(width: metrics.trailWidth, halo: 0, steps: 6) {
      painter.fill(band.outline, color: piece.color, alpha: band.alpha)
    }
  }

  private func line(_ piece: Piece, halo: Bool, _ painter: borrowing CairoPainter) {
    let haloWidth = piece.lineWidth + 2 * metrics.haloWidth
    if !piece.corners.isEmpty {
      painter.stroke(
        piece.corners, isClosed: true, width: halo ? haloWidth : piece.lineWidth,
        color: halo ? haloColor(piece.color) : piece.color, alpha: halo ? Self.haloAlpha : 1)
      return
    }
    let half = piece.lineWidth / 2
    let middle = piece.outline.inset(by: half)
    let radii = CornerRadii.box(piece.outline, chip: piece.chip?.frame, radius: metrics.cornerRadius)
    if halo {
      painter.stroke(
        middle, radii: radii, width: haloWidth, color: haloColor(piece.color), alpha: Self.haloAlpha)
    } else {
      painter.stroke(middle, radii: radii, width: piece.lineWidth, color: piece.color)
    }
  }

  private func paint(_ chip: Chip, of piece: Piece, _ painter: borrowing CairoPainter) {
    guard piece.corners.isEmpty else {
      return chip.paintAlone(color: piece.color, metrics: metrics, capHeight: capHeight, painter)
    }
    let radii = CornerRadii.chip(
      chip.frame, on: piece.outline, lineWidth: piece.lineWidth, radius: metrics.chipRadius,
      sharedRadius: metrics.cornerRadius + piece.lineWidth / 2)
    // Without a halo on the line of the chip's own box: line and chip form one shape with one edge.
    painter.clipped(
      outside: piece.outline.inset(by: -metrics.haloWidth),
      hole: piece.outline.inset(by: piece.lineWidth + metrics.haloWidth)
    ) {
      $0.stroke(
        chip.frame, radii: radii, width: 2 * metrics.haloWidth, color: haloColor(piece.color),
        alpha: Self.haloAlpha)
    }
    chip.paintFace(radii: radii, color: piece.color, metrics: metrics, capHeight: capHeight, painter)
  }

  /// Returns the halo's colour, which contrasts with the line and stays visible on a background like the
  /// line.
  private func haloColor(_ color: RGBColor) -> RGBColor { color.textColor }
  /// The opacity of a halo.
  static let haloAlpha = 0.55
  /// The opacity of the inside of a mask.
  private static let maskAlpha = 0.4
}

extension OverlayLayout.Chip {
  /// Paints the chip with a halo on all sides, for one that is not attached to an upright line.
  func paintAlone(
    color: RGBColor, metrics: OverlayMetrics, capHeight: Double, _ painter: borrowing CairoPainter
  ) {
    let radius = metrics.chipRadius
    let radii = CornerRadii(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
    painter.stroke(
      frame, radii: radii, width: 2 * metrics.haloWidth, color: color.textColor,
      alpha: OverlayLayout.haloAlpha)
    paintFace(radii: radii, color: color, metrics: metrics, capHeight: capHeight, painter)
  }

  /// Paints the filled chip with its text, without a halo.
  func paintFace(
    radii: CornerRadii, color: RGBColor, metrics: OverlayMetrics, capHeight: Double,
    _ painter: borrowing CairoPainter
  ) {
    painter.fill(frame, radii: radii, color: color)
    painter.clipped(to: frame) {
      $0.draw(
        text, x: frame.minX + metrics.chipPadding, baseline: (frame.midY + capHeight / 2).rounded(),
        color: color.textColor)
    }
  }
}

extension BoundingBox {
  /// Returns the box with each edge moved inwards by `distance`; width and height are at least 0.
  fileprivate func inset(by distance: Double) -> BoundingBox {
    let x = min(distance, width / 2)
    let y = min(distance, height / 2)
    return BoundingBox(minX: minX + x, minY: minY + y, maxX: maxX - x, maxY: maxY - y)
  }
}
