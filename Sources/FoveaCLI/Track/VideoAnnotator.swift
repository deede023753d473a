// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaImage
import FoveaRender
import FoveaTracking
import FoveaVideo

/// Draws each frame's objects, with their identities and trails, into a new video.
final class VideoAnnotator {
  private let path: String
  private let overlay = Overlay()
  private let canvases = FrameCanvas()
  private let frames = CanvasFrames()
  private var trails: TrailHistory
  private var writer: VideoWriter?

  /// Draws into the video at `path`, whose ending says what it is.
  init(path: String) throws(FoveaError) {
    self.path = path
    do throws(RenderError) { trails = try TrailHistory() } catch { throw FoveaError(render: error) }
    // A name that cannot be written is found out before the first frame.
    do throws(VideoError) { _ = try VideoContainer(path: path) } catch { throw FoveaError(error) }
  }

  /// Keeps other processes from the video, and finds out before the first frame that it cannot be written.
  static func reserve(_ path: String) throws(FoveaError) -> OutputReservation? {
    try OutputReservation.file(path, option: "--annotate") {
      FoveaError(.unwritable(path, partialPath: PartialPath.beside(path), number: $0))
    }
  }

  /// Draws a frame and writes it, upright; the counters are in pixels of the upright frame.
  func draw(
    _ record: FrameRecord, on pixels: PixelBuffer, counters: FrameCounters, frameRate: Double?
  ) throws(FoveaError) {
    let upright = record.upright()
    trails.update(
      upright.objects.lazy.compactMap { object in object.trackID.map { ($0, object.box) } },
      at: record.seconds ?? 0)
    do {
      let canvas = try canvases.canvas(of: pixels)
      let items = upright.objects.map { object in
        OverlayItem(object: object, trail: object.trackID.map(trails.trail) ?? [])
      }
      try overlay.draw(items, guides: counters.guides, on: canvas)
      let writer = try self.writer ?? makeWriter(frameRate: frameRate)
      self.writer = writer
      try writer.write(try frames.frame(of: canvas), seconds: record.seconds ?? 0)
    } catch let error as RenderError {
      throw FoveaError(render: error)
    } catch let error as VideoError {
      throw FoveaError(error)
    } catch {
      throw FoveaError(error)
    }
  }

  /// Ends the video, so that it can be played; nothing where no frame was drawn.
  func finish() throws(FoveaError) {
    do throws(VideoError) { try writer?.finish() } catch { throw FoveaError(error) }
  }

  private func makeWriter(frameRate: Double?) throws(VideoError) -> VideoWriter {
    var options = VideoWriter.Options()
    options.frameRate = frameRate
    return try VideoWriter(path: path, partialPath: PartialPath.beside(path), options: options)
  }
}

extension FrameCounters {
  /// The lines and zones as the overlay shows them, with what was counted.
  fileprivate var guides: [OverlayGuide] {
    lines.map { line in
      OverlayGuide(
        shape: .line(from: line.start, to: line.end), caption: "\(line.counts.in) in, \(line.counts.out) out")
    }
      + zones.map { zone in
        OverlayGuide(shape: .zone(zone.corners), caption: "\(zone.counts.inside) inside")
      }
  }
}
