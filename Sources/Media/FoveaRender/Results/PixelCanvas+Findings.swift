// SPDX-License-Identifier: Apache-2.0

package import FoveaFormats
package import FoveaImage

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
