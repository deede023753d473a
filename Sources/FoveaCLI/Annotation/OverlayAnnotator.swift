// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRender
import FoveaSystem

/// Draws with `FoveaRender`: boxes, labels and scores over the upright image.
struct OverlayAnnotator: ImageAnnotator {
  // Photos are seen, not measured: quality 90 shows no artefacts around thin lines.
  private static let quality = 90

  func annotated(
    _ photo: Photo, with findings: DetectionRecord.Findings, as format: AnnotationFormat, hasThumbnail: Bool
  ) throws(FoveaError) -> AnnotatedPhoto {
    do {
      let canvas = try photo.image().canvas()
      let thumbnail = hasThumbnail ? try Thumbnail(of: canvas) : nil
      if case .objects(let objects) = findings.upright().content {
        try Overlay().draw(objects.map { OverlayItem(object: $0) }, on: canvas)
      }
      return AnnotatedPhoto(
        file: try canvas.encoded(as: ImageFormat(format), quality: Self.quality), thumbnail: thumbnail)
    } catch {
      throw FoveaError(error)
    }
  }
}

extension OverlayItem {
  /// An object as the overlay shows it: its identity where a tracker gave one, its best label, and how sure that is.
  init(object: DetectedObject, trail: [PixelPoint] = []) {
    let label = object.labels.first
    let name = label.map { $0.text ?? "class \($0.index)" }
    let score = DecimalText.fixed(Double(label?.confidence ?? object.score), places: 2)
    let parts = [object.trackingID.map { "#\($0)" }, name, score].compactMap { $0 }
    self.init(
      box: object.box, caption: parts.joined(separator: " "), colorKey: name ?? "",
      identity: object.trackingID, trail: trail)
  }
}

extension ImageFormat {
  fileprivate init(_ format: AnnotationFormat) {
    switch format {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .webp: self = .webp
    }
  }
}
