// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaRender
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRuntime
import FoveaCore

/// Draws the findings on the image of a call, or makes an image of class numbers.
struct AnswerAnnotator: Sendable {
  /// An annotated image.
  struct File: Sendable {
    let format: ImageFormat
    let bytes: [UInt8]
    /// The time for decoding, drawing and encoding.
    let time: Duration

    /// The file's media type.
    var type: String {
      switch format {
      case .png: "image/png"
      case .webp: "image/webp"
      default: "image/jpeg"
      }
    }
  }

  private let limits: ImageLimits
  /// Lower than the models' limit, since the image to draw on is decoded at full size; not configurable.
  private let maximumPixels: Int
  /// The least score of a keypoint that is drawn.
  private let keypointThreshold: Float

  init(limits: ImageLimits, maximumPixels: Int, keypointThreshold: Float) {
    self.limits = limits
    self.maximumPixels = maximumPixels
    self.keypointThreshold = keypointThreshold
  }

  /// Decodes the image upright, draws, and encodes, on a separate thread: the threads shared by all requests
  /// must not block.
  /// - Throws: `image-too-large`, and the errors of damaged images and of drawing.
  func file(
    of image: ReceivedImage, with findings: DetectionRecord.Findings, as format: ImageFormat
  ) async throws(FoveaError) -> File {
    do {
      return try await LoadingThread.call { [self] in try drawn(image, findings, format) }
    } catch let error as FoveaError {
      throw error
    } catch {
      throw FoveaError(.cancelled, "The call was cancelled", remedy: "Retry the request")
    }
  }

  /// Makes the image of class numbers that `fovea segment --output` writes, on a separate thread.
  /// - Parameter findings: A map; its image has the size and orientation of the findings.
  /// - Returns: A PNG; nil for findings without a map.
  /// - Throws: `image-too-large`, and the errors of encoding.
  func classNumbers(of findings: DetectionRecord.Findings) async throws(FoveaError) -> File? {
    guard case .map(let map) = findings.content else { return nil }
    return try await BlockingWork.run { [self] _ throws(FoveaError) -> File in
      let start = ContinuousClock.now
      do throws(ImageError) {
        try check(findings.size, "class numbers are written for")
        let png = try ClassImage.png(map.classes(in: findings.size), size: findings.size)
        return File(format: .png, bytes: png, time: ContinuousClock.now - start)
      } catch {
        throw FoveaError(error)
      }
    }
  }

  private func drawn(
    _ image: ReceivedImage, _ findings: DetectionRecord.Findings, _ format: ImageFormat
  ) throws(FoveaError) -> File {
    let start = ContinuousClock.now
    do {
      let encoded = try EncodedImage(bytes: image.bytes, name: ReceivedImage.subject, limits: limits)
      let isMap = if case .map = findings.content { true } else { false }
      try check(encoded.size, isMap ? "classes are painted on" : "boxes are drawn on")
      let canvas = try encoded.canvas()
      try canvas.draw(findings, keypointThreshold: keypointThreshold)
      let bytes = try canvas.encoded(as: format, quality: PixelCanvas.annotatedQuality)
      return File(format: format, bytes: bytes, time: ContinuousClock.now - start)
    } catch {
      throw FoveaError(error)
    }
  }

  /// Throws `image-too-large` if an image to make has too many pixels; `work` precedes "at most".
  private func check(_ size: PixelSize, _ work: String) throws(ImageError) {
    guard size.area > maximumPixels else { return }
    throw ImageError(
      .tooLarge, "the image has \(size.area) pixels (\(size)), \(work) at most \(maximumPixels)",
      remedy: "Send a smaller image, or request JSON without the annotated image",
      subject: ReceivedImage.subject)
  }
}
#endif
