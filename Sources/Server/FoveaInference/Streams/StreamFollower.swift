// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaRender
import FoveaFormats
import FoveaHTTP
import FoveaImage
import FoveaCore
import Hummingbird

/// Follows the objects of a source, and encodes its frames in the formats that viewers need.
///
/// A value with one owner, like `ObjectTracker`.
struct StreamFollower: Sendable {
  /// The maximum width of a message's image, in pixels.
  static let widest = 960
  /// JPEG quality 75: artefacts are not visible in motion.
  private static let quality = 75

  private let name: String
  private let settings: LiveSettings
  private var follower = FrameFollower()
  private var trails: TrailHistory

  init(name: String, settings: LiveSettings) throws(FoveaError) {
    self.name = name
    self.settings = settings
    trails = try StreamFollower.noTrails()
  }

  private static func noTrails() throws(FoveaError) -> TrailHistory {
    do throws(RenderError) { return try TrailHistory() } catch { throw FoveaError(error) }
  }

  /// Processes the next frame.
  /// - Parameters:
  ///   - frame: The frame; its number and time must be greater than in the previous frame.
  ///   - frameRate: Frames per second; nil if unknown.
  ///   - model: The model; a different one starts new identities.
  ///   - needs: The formats that viewers need.
  /// - Returns: The frame for viewers, and the times of its stages.
  /// - Throws: `FoveaError` of the model and of drawing, and an error if the model is not a detector.
  mutating func take(
    _ frame: VideoFrame, frameRate: Double?, model: ServedModel, needs: Set<StreamViewer.Need>
  ) async throws -> (frame: StreamFrame, timings: StageTimings) {
    try InferenceCaller.check(.detect, model)
    guard case .detector(let detector) = model.engine else { throw CancellationError() }
    // Another model restarts the identities, so old trails no longer apply.
    if try !follower.adopt(settings, .track, of: model) { trails = try StreamFollower.noTrails() }
    // An implausible rate counts as unknown.
    let rate = frameRate.flatMap { $0 >= 0.001 && $0 <= 10_000 ? $0 : nil }
    let record = try await follower.track(frame, of: name, with: detector, frameRate: rate)
    let upright = record.upright()
    trails.update(
      upright.objects.lazy.compactMap { object in object.trackingID.map { ($0, object.box) } },
      at: frame.seconds)
    let images = try images(of: frame.pixels, upright, needs, keypointThreshold: model.keypointThreshold)
    var writer = FrameJSONWriter()
    writer.masks = settings.masks
    let line = writer.text(for: record)
    return (
      StreamFrame(
        number: frame.number, line: ByteBuffer(string: line),
        message: images.plain.map {
          StreamFrame.message(String(writer.text(for: upright).dropLast()), $0)
        },
        annotated: images.annotated.map { ByteBuffer(bytes: $0) }), record.timings
    )
  }

  /// Encodes a frame once for each needed format, however many viewers need it.
  private func images(
    of pixels: PixelBuffer, _ record: FrameRecord, _ needs: Set<StreamViewer.Need>, keypointThreshold: Float
  ) throws(FoveaError) -> (plain: [UInt8]?, annotated: [UInt8]?) {
    guard needs.contains(.messages) || needs.contains(.annotated) else { return (nil, nil) }
    do {
      let canvas = try FrameCanvas().canvas(of: pixels)
      let plain = needs.contains(.messages) ? try StreamFollower.small(canvas) : nil
      guard needs.contains(.annotated) else { return (plain, nil) }
      let items = record.objects.map { object in
        OverlayItem(object: object, trail: object.trackingID.map(trails.trail) ?? [])
      }
      var style = OverlayStyle()
      style.keypointThreshold = keypointThreshold
      try Overlay(style: style).draw(items, on: canvas)
      return (plain, try canvas.encoded(as: .jpeg, quality: StreamFollower.quality))
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
