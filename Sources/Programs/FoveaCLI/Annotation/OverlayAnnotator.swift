// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaImage
import FoveaRender

/// Draws with `FoveaRender`: boxes, labels and scores over the upright image.
struct OverlayAnnotator: ImageAnnotator {
  /// The least score of a keypoint that is drawn.
  var keypointThreshold = OverlayStyle().keypointThreshold

  func annotated(
    _ photo: Photo, with findings: DetectionRecord.Findings, as format: AnnotationFormat, hasThumbnail: Bool
  ) throws(FoveaError) -> AnnotatedPhoto {
    do {
      let canvas = try photo.image().canvas()
      let thumbnail = hasThumbnail ? try Thumbnail(of: canvas) : nil
      try canvas.draw(findings, keypointThreshold: keypointThreshold)
      return AnnotatedPhoto(
        file: try canvas.encoded(as: ImageFormat(format), quality: PixelCanvas.annotatedQuality),
        thumbnail: thumbnail)
    } catch {
      throw FoveaError(error)
    }
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
