// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaImage

/// Draws with `FoveaRender`: boxes, labels and scores over the upright picture.
struct OverlayAnnotator: PictureAnnotator {
  let limits: ImageLimits

  func annotated(_ picture: Picture, with findings: Findings, as format: AnnotationFormat)
    throws(FoveaError) -> [UInt8]
  {
    throw FoveaError(
      code: .init(rawValue: "annotate-unavailable"), message: "pictures cannot be drawn on yet",
      remedy: "Leave --annotate out")
  }
}
