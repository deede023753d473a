// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRender
import FoveaTracking
import FoveaVideo

/// Draws each frame's objects, with their identities and trails, into a new video.
final class VideoAnnotator {
  private let file: ReplacedFile
  private let overlay: Overlay
  private let frames = CanvasFrames()
  private var trails: TrailHistory
  private var writer: VideoWriter?
  /// Notes on parts of the source that the video lacks, each a sentence without its full stop.
  private(set) var notes: [String] = []

  /// Creates an annotator for the video at `path`, whose extension sets the format, and locks the file.
  /// - Parameters:
  ///   - path: The video.
  ///   - keypointThreshold: The least score of a keypoint that is drawn.
  /// - Throws: `video-option-invalid` for the extension of another format, `output-in-use`,
  ///   `video-write-failed`.
  init(path: String, keypointThreshold: Float) throws(FoveaError) {
    var style = OverlayStyle()
    style.keypointThreshold = keypointThreshold
    overlay = Overlay(style: style)
    do throws(RenderError) { trails = try TrailHistory() } catch { throw FoveaError(error) }
    try Self.checkName(path)
    let file = try OutputReservation.file(path, option: "annotate") {
      FoveaError(VideoError.unwritable(path, $0))
    }
    guard let file else { throw FoveaError(VideoError.noFile(path)) }
    self.file = file
  }

  /// Refuses a name without the extension of a video format.
  static func checkName(_ path: String) throws(FoveaError) {
    do throws(VideoError) { _ = try VideoContainer(path: path) } catch { throw FoveaError(error) }
  }

  /// Draws a frame and writes it.
  /// - Parameters:
  ///   - record: The frame, upright.
  ///   - canvas: The upright frame, on which the objects are drawn.
  ///   - orientation: The orientation of the stored frame.
  ///   - counters: The lines and zones, in pixels of the upright frame.
  ///   - source: The state of the source.
  /// - Throws: The error of drawing, or `video-write-failed`.
  func draw(
    _ record: FrameRecord, on canvas: PixelCanvas, orientation: Orientation, counters: FrameCounters,
    source: SourceState
  ) throws(FoveaError) {
    trails.update(
      record.objects.lazy.compactMap { object in object.trackingID.map { ($0, object.box) } },
      at: record.seconds ?? 0)
    do {
      let items = record.objects.map { object in
        OverlayItem(object: object, trail: object.trackingID.map(trails.trail) ?? [])
      }
      try overlay.draw(items, counters: counters.overlayCounters, on: canvas)
      let isFirst = self.writer == nil
      let writer = try self.writer ?? makeWriter(source, orientation)
      self.writer = writer
      try writer.write(try frames.frame(of: canvas), seconds: record.seconds ?? 0)
      if isFirst { notes += writer.notes }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Finishes the video so that it can be played; does nothing if no frame was drawn.
  /// - Parameter isWhole: Whether all frames of the source were drawn, so that its sound may continue.
  /// - Throws: `video-write-failed`.
  func finish(isWhole: Bool) throws(FoveaError) {
    do throws(VideoError) { try writer?.finish(hasAllSound: isWhole) } catch { throw FoveaError(error) }
  }

  private func makeWriter(_ source: SourceState, _ orientation: Orientation) throws(VideoError) -> VideoWriter
  {
    var options = VideoWriter.Options()
    options.frameRate = source.frameRate
    options.pixelAspect = source.pixelAspect.upright(orientation)
    options.sound = source.sound
    if source.hasSound, source.sound == nil {
      notes.append("the sound is left out: it can be copied only from a file")
    }
    return try VideoWriter(file, options: options)
  }
}
