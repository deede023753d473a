// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaRender
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaCore
import Hummingbird

/// Encodes the frames of a source in the formats that viewers need, with the trails of their objects.
struct StreamPainter: Sendable {
  /// The maximum width of a message's image, in pixels.
  static let widest = 960
  /// JPEG quality 75: artefacts are not visible in motion.
  private static let quality = 75

  private var trails: TrailHistory

  /// Creates a painter that has seen no objects.
  init() throws(FoveaError) {
    do throws(RenderError) { trails = try TrailHistory() } catch { throw FoveaError(error) }
  }

  /// Encodes the next frame.
  /// - Parameters:
  ///   - pixels: The pixels of the frame.
  ///   - record: The frame's contents.
  ///   - blurred: The parts to blur, in pixels of the upright frame.
  ///   - masks: The form of masks in JSON.
  ///   - needs: The formats that viewers need.
  ///   - keypointThreshold: The least score of a keypoint that is drawn.
  /// - Returns: The frame for viewers.
  /// - Throws: `FoveaError` of drawing.
  mutating func frame(
    _ pixels: PixelBuffer, _ record: FrameRecord, blurring blurred: [BoundingBox] = [], masks: MaskForm,
    needs: Set<StreamViewer.Need>, keypointThreshold: Float
  ) throws(FoveaError) -> StreamFrame {
    let upright = record.upright()
    trails.update(
      upright.objects.lazy.compactMap { object in object.trackingID.map { ($0, object.box) } },
      at: record.seconds ?? 0)
    let images = try images(
      of: pixels, upright, blurring: blurred, needs, keypointThreshold: keypointThreshold)
    var writer = FrameJSONWriter()
    writer.masks = masks
    return StreamFrame(
      number: record.number, line: ByteBuffer(string: writer.text(for: record)),
      message: images.plain.map { StreamFrame.message(String(writer.text(for: upright).dropLast()), $0) },
      annotated: images.annotated.map { ByteBuffer(bytes: $0) })
  }

  /// Encodes a frame once for each needed format, however many viewers need it.
  func images(
    of pixels: PixelBuffer, _ record: FrameRecord, blurring blurred: [BoundingBox],
    _ needs: Set<StreamViewer.Need>, keypointThreshold: Float
  ) throws(FoveaError) -> (plain: [UInt8]?, annotated: [UInt8]?) {
    guard needs.contains(.messages) || needs.contains(.annotated) else { return (nil, nil) }
    do {
      let canvas = try FrameCanvas().canvas(of: pixels)
      for box in blurred { canvas.pixelate(box) }
      let plain = needs.contains(.messages) ? try StreamPainter.small(canvas) : nil
      guard needs.contains(.annotated) else { return (plain, nil) }
      let items = record.objects.map { object in
        OverlayItem(object: object, trail: object.trackingID.map(trails.trail) ?? [])
      }
      var style = OverlayStyle()
      style.keypointThreshold = keypointThreshold
      try Overlay(style: style).draw(items, on: canvas)
      return (plain, try canvas.encoded(as: .jpeg, quality: StreamPainter.quality))
    } catch {
      throw FoveaError(error)
    }
  }

  private static func small(_ canvas: PixelCanvas) throws(ImageError) -> [UInt8] {
    guard canvas.size.width > widest else { return try canvas.encoded(as: .jpeg, quality: quality) }
    let longest = max(widest, canvas.size.height * widest / canvas.size.width)
    return try Thumbnail(of: canvas, longestSide: longest, quality: quality).jpeg
  }
}
#endif
