// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaDecoding
package import FoveaFormats
package import FoveaGeometry
package import FoveaImage
import FoveaTracking

extension OverlayItem {
  /// Converts an object: its identity if it is tracked, its best label and the label's confidence,
  /// its mask, its rotated box and its keypoints.
  package init(object: DetectedObject, trail: [PixelPoint] = []) {
    let label = object.labels.first
    let name = label.map { $0.text ?? "class \($0.index)" }
    let score = DecimalText.fixed(Double(label?.confidence ?? object.score), places: 2)
    let parts = [object.trackingID.map { "#\($0)" }, name, score].compactMap { $0 }
    self.init(
      box: object.box, caption: parts.joined(separator: " "), colorKey: name ?? "",
      identity: object.trackingID, trail: trail, mask: object.mask, orientedBox: object.orientedBox,
      keypoints: object.keypoints, keypointScores: object.keypointScores,
      keypointSet: KeypointSet.known(count: object.keypoints.count, className: label?.text))
  }
}

extension FrameCounters {
  /// The lines and zones for the overlay, with their counts.
  package var overlayCounters: [OverlayCounter] {
    lines.map { line in
      OverlayCounter(
        shape: .line(from: line.start, to: line.end), caption: "\(line.counts.in) in, \(line.counts.out) out")
    }
      + zones.map { zone in
        OverlayCounter(shape: .zone(zone.corners), caption: "\(zone.counts.inside) inside")
      }
  }
}

extension PixelCanvas {
  /// The quality of annotated JPEG and WebP files; at 90 there are no visible artefacts around thin lines.
  package static let annotatedQuality = 90

  /// Draws the objects or classes found in the image on this upright canvas; labels of the whole image are
  /// not drawn.
  /// - Parameters:
  ///   - findings: The objects or classes.
  ///   - keypointThreshold: The least score of a keypoint that is drawn.
  /// - Throws: `RenderError` if drawing on the canvas fails.
  package func draw(
    _ findings: DetectionRecord.Findings, keypointThreshold: Float
  ) throws(RenderError) {
    switch findings.upright().content {
    case .objects(let objects):
      var style = OverlayStyle()
      style.keypointThreshold = keypointThreshold
      try Overlay(style: style).draw(objects.map { OverlayItem(object: $0) }, on: self)
    case .map(let map): paint(map)
    case .labels: break
    }
  }
}
