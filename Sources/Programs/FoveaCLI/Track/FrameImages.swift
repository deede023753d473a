// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRender

/// The images that a run makes of its frames, with some objects blurred: the crops of objects, the mean
/// under a heat map, and the annotated video.
final class FrameImages {
  private var blur: BlurredObjects?
  private let crops: CropFolder?
  private let heatMap: HeatMapOutput?
  private let annotator: VideoAnnotator?
  private let canvases = FrameCanvas()

  /// Creates the images of a run.
  /// - Parameters:
  ///   - blur: The objects that are blurred in every image; nil for none.
  ///   - crops: The folder of `--crops`; nil without it.
  ///   - heatMap: The heat map of `--heatmap`, which `FrameSink` finishes; nil without it.
  ///   - annotator: The video of `--annotate`; nil without it.
  init(
    blur: BlurredObjects? = nil, crops: CropFolder? = nil, heatMap: HeatMapOutput? = nil,
    annotator: VideoAnnotator? = nil
  ) {
    self.blur = blur
    self.crops = crops
    self.heatMap = heatMap
    self.annotator = annotator
  }

  /// Notes on parts of the source that the video lacks, each a sentence without its full stop.
  var notes: [String] { annotator?.notes ?? [] }

  /// Notes after the last frame, each a sentence.
  var lastNotes: [String] {
    blur?.hasSeenObject == false ? ["No object had a label of --blur; nothing is blurred."] : []
  }

  /// Makes the images of a frame.
  /// - Parameters:
  ///   - frame: The frame; its pixels are stored, whatever the space of its record.
  ///   - record: The same frame, upright.
  ///   - counters: The lines and zones, in pixels of the upright frame.
  ///   - source: The state of the source.
  /// - Throws: The error of drawing, encoding or writing.
  func accept(
    _ frame: FeedFrame, _ record: FrameRecord, counters: FrameCounters, source: SourceState
  ) throws(FoveaError) {
    guard let pixels = frame.pixels else { return }
    var blurred: [BoundingBox] = []
    if blur != nil {
      var found = frame.record
      found.objects = frame.found
      blurred =
        blur?.update(record.objects, found: found.upright().objects, seconds: record.seconds ?? 0) ?? []
    }
    var drawn: PixelCanvas?
    func canvas() throws(FoveaError) -> PixelCanvas {
      if let drawn { return drawn }
      do throws(ImageError) {
        let canvas = try canvases.canvas(of: pixels)
        for box in blurred { canvas.pixelate(box) }
        drawn = canvas
        return canvas
      } catch {
        throw FoveaError(error)
      }
    }
    try crops?.accept(record, in: pixels.uprightSize, known: frame.known, canvas: canvas)
    try heatMap?.see(canvas, in: pixels.uprightSize)
    try annotator?.draw(
      record, on: canvas(), orientation: pixels.orientation, counters: counters, source: source)
  }

  /// Writes the remaining images and closes the video, even if an error occurs.
  /// - Parameter isWhole: True if all frames of the source were drawn, so that its sound may continue.
  /// - Throws: The first error.
  func finish(isWhole: Bool) throws(FoveaError) {
    var failure: FoveaError?
    do throws(FoveaError) { try crops?.finish() } catch { failure = error }
    // Always close the video: an unfinished one cannot be played.
    do throws(FoveaError) { try annotator?.finish(isWhole: isWhole) } catch { failure = failure ?? error }
    if let failure { throw failure }
  }
}
