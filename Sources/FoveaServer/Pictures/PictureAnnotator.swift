// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Fovea
  internal import FoveaAnnotation
  internal import FoveaFormats
  internal import FoveaImage
  internal import FoveaRender
  internal import FoveaSystem

  /// Draws what was found on the image of a call.
  struct PictureAnnotator: Sendable {
    /// An annotated image.
    struct File: Sendable {
      let format: ImageFormat
      let bytes: [UInt8]
      /// How long decoding, drawing and encoding took.
      let time: Duration

      /// As a content type.
      var type: String {
        switch format {
        case .png: "image/png"
        case .webp: "image/webp"
        default: "image/jpeg"
        }
      }
    }

    private let limits: ImageLimits

    /// Takes images with fewer pixels than the models do, since they are decoded at full size.
    init(limits: ImageLimits, maximumPixels: Int) {
      var limits = limits
      limits.maxPixels = min(limits.maxPixels, maximumPixels)
      self.limits = limits
    }

    /// Decodes the image upright, draws, and encodes.
    /// - Throws: `image-too-large`, and the errors of a damaged image and of drawing.
    func file(
      of picture: Picture, with findings: DetectionRecord.Findings, as format: ImageFormat
    ) throws(FoveaError) -> File {
      let start = ContinuousClock.now
      do {
        let canvas = try EncodedImage(bytes: picture.bytes, name: Picture.subject, limits: limits).canvas()
        try canvas.draw(findings)
        let bytes = try canvas.encoded(as: format, quality: PixelCanvas.annotatedQuality)
        return File(format: format, bytes: bytes, time: ContinuousClock.now - start)
      } catch {
        throw FoveaError(error)
      }
    }
  }
#endif
