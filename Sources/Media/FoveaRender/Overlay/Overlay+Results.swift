// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaDecoding
package import FoveaFormats
package import FoveaGeometry
package import FoveaImage
import FoveaTracking

extension OverlayItem {
  /// An object as the overlay shows it: its identity where a tracker gave one, its best label, and how sure that is.
  package init(object: DetectedObject, trail: [PixelPoint] = []) {
    let label = object.labels.first
    let name = label.map { $0.text ?? "class \($0.index)" }
    let score = DecimalText.fixed(Double(label?.confidence ?? object.score), places: 2)
    let parts = [object.trackingID.map { "#\($0)" }, name, score].compactMap { $0 }
    self.init(
      box: object.box, caption: parts.joined(separator: " "), colorKey: name ?? "",
      identity: object.trackingID, trail: trail)
  }
}

extension FrameCounters {
  /// The lines and zones as the overlay shows them, with what was counted.
  package var guides: [OverlayGuide] {
    lines.map { line in
      OverlayGuide(
        shape: .line(from: line.start, to: line.end), caption: "\(line.counts.in) in, \(line.counts.out) out")
    }
      + zones.map { zone in
        OverlayGuide(shape: .zone(zone.corners), caption: "\(zone.counts.inside) inside")
      }
  }
}

extension PixelCanvas {
  /// The quality of annotated JPEG and WebP files: photos are seen, not measured, and 90 shows no artefacts around thin
  /// lines.
  package static let annotatedQuality = 90

  /// Draws the objects that were found in the image, which the canvas shows upright; labels draw nothing.
  /// - Throws: `RenderError` where the canvas cannot be drawn on.
  package func draw(_ findings: DetectionRecord.Findings) throws(RenderError) {
    guard case .objects(let objects) = findings.upright().content else { return }
    try Overlay().draw(objects.map { OverlayItem(object: $0) }, on: self)
  }
}
