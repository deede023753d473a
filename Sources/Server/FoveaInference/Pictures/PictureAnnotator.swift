// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaRender
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRuntime
import FoveaCore

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
  /// Fewer than the models take, since what is drawn on is decoded at full size; no option changes it.
  private let maximumPixels: Int

  init(limits: ImageLimits, maximumPixels: Int) {
    self.limits = limits
    self.maximumPixels = maximumPixels
  }

  /// Decodes the image upright, draws, and encodes, on its own thread: those that all requests share must not wait.
  /// - Throws: `image-too-large`, and the errors of a damaged image and of drawing.
  func file(
    of picture: Picture, with findings: DetectionRecord.Findings, as format: ImageFormat
  ) async throws(FoveaError) -> File {
    do {
      return try await LoadingThread.call { [self] in try drawn(picture, findings, format) }
    } catch let error as FoveaError {
      throw error
    } catch {
      throw FoveaError(.cancelled, "The call was cancelled", remedy: "Call again")
    }
  }

  private func drawn(
    _ picture: Picture, _ findings: DetectionRecord.Findings, _ format: ImageFormat
  ) throws(FoveaError) -> File {
    let start = ContinuousClock.now
    do {
      let image = try EncodedImage(bytes: picture.bytes, name: Picture.subject, limits: limits)
      try check(image.size)
      let canvas = try image.canvas()
      try canvas.draw(findings)
      let bytes = try canvas.encoded(as: format, quality: PixelCanvas.annotatedQuality)
      return File(format: format, bytes: bytes, time: ContinuousClock.now - start)
    } catch {
      throw FoveaError(error)
    }
  }

  private func check(_ size: PixelSize) throws(ImageError) {
    guard size.area > maximumPixels else { return }
    throw ImageError(
      .tooLarge, "the image has \(size.area) pixels (\(size)), boxes are drawn on \(maximumPixels) at most",
      remedy: "Send a smaller image, or ask for JSON without the annotated image", subject: Picture.subject)
  }
}
#endif
