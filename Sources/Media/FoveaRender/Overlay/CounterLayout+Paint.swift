// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension CounterLayout {
  /// Paints the line or zone and the arrow; the chip is painted later, with those of the objects.
  func paintShape(metrics: OverlayMetrics, _ painter: borrowing CairoPainter) {
    let isZone = if case .zone = counter.shape { true } else { false }
    let points = counter.points
    if isZone { painter.fill(points, color: counter.color, alpha: 0.12) }
    let haloWidth = metrics.lineWidth + 2 * metrics.haloWidth
    let halo = counter.color.textColor
    painter.stroke(points, isClosed: isZone, width: haloWidth, color: halo, alpha: OverlayLayout.haloAlpha)
    if let arrow {
      painter.stroke(
        arrow.shaft, isClosed: false, width: haloWidth, color: halo, alpha: OverlayLayout.haloAlpha)
      painter.stroke(
        arrow.head, isClosed: true, width: 2 * metrics.haloWidth, color: halo, alpha: OverlayLayout.haloAlpha)
    }
    painter.stroke(points, isClosed: isZone, width: metrics.lineWidth, color: counter.color)
    guard let arrow else { return }
    painter.stroke(arrow.shaft, isClosed: false, width: metrics.lineWidth, color: counter.color)
    painter.fill(arrow.head, color: counter.color)
  }

  /// Paints the chip.
  func paintChip(metrics: OverlayMetrics, capHeight: Double, _ painter: borrowing CairoPainter) {
    guard let chip else { return }
    chip.paintAlone(color: counter.color, metrics: metrics, capHeight: capHeight, painter)
  }
}
