// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRender
import FoveaTracking

/// The heat map of a run: what `--heatmap` writes.
final class HeatMapOutput {
  /// The most pixels of a frame; a cell has 64 of them.
  private static let mostPixels = 250_000_000

  private let path: String
  private let file: ReplacedFile
  /// The labels of the objects that count; nil for all objects.
  private let labels: Set<String>?
  /// Whether the map is an image.
  private let isImage: Bool
  private var map: OccupancyMap?
  private var size = PixelSize(width: 0, height: 0)
  private var mean: MeanImage?
  private var hasObject = false

  /// Locks the file at `path`.
  /// - Parameters:
  ///   - path: The file; its extension, `.png` or `.json`, sets the format.
  ///   - labels: The labels of the objects that count; nil for all objects.
  /// - Throws: `output-in-use`, `output-unwritable`.
  init(path: String, labels: Set<String>?) throws(FoveaError) {
    self.path = path
    self.labels = labels
    isImage = FilePath(path).ending == "png"
    let file = try OutputReservation.file(path, option: "heatmap") {
      .outputUnwritable(path, $0, option: "heatmap")
    }
    guard let file else { throw .outputUnwritable(path, SystemError(EINVAL), option: "heatmap") }
    self.file = file
  }

  /// Notes after the last frame, each a sentence.
  var notes: [String] { labels != nil && !hasObject ? ["No object had a label of --heatmap-of."] : [] }

  /// Adds the time of a frame.
  /// - Parameter record: The frame, upright.
  /// - Throws: `option-invalid` if the frame has no time or no size.
  func accept(_ record: FrameRecord) throws(FoveaError) {
    guard let seconds = record.seconds else { throw .frameTimesMissing(option: "heatmap") }
    guard let size = record.size else {
      throw FoveaError(
        .optionInvalid, "--heatmap needs the size of the frames, and only boxes are given",
        remedy: "Name the video or the folder of frames, and the boxes with --detections")
    }
    if map == nil {
      try Self.check(size)
      self.size = size
      map = OccupancyMap(of: size)
    }
    let scale = (
      x: Double(self.size.width) / Double(max(1, size.width)),
      y: Double(self.size.height) / Double(max(1, size.height))
    )
    let boxes = record.objects.filter(counts).map(\.box)
    hasObject = hasObject || !boxes.isEmpty
    map?.update(
      boxes.lazy.map { box in
        // A source may change its resolution.
        BoundingBox(
          minX: box.minX * scale.x, minY: box.minY * scale.y, maxX: box.maxX * scale.x,
          maxY: box.maxY * scale.y)
      }, seconds: seconds)
  }

  /// Refuses a size that a file of boxes declares, but no video has.
  private static func check(_ size: PixelSize) throws(FoveaError) {
    guard size.area > mostPixels else { return }
    throw FoveaError(
      .optionInvalid, "--heatmap needs frames of at most 250 megapixels, not \(size)",
      remedy: "Correct imWidth and imHeight in seqinfo.ini")
  }

  /// Adds a frame to the mean image, if the heat map is painted on one.
  func see(_ frame: () throws(FoveaError) -> PixelCanvas, in size: PixelSize) throws(FoveaError) {
    guard isImage else { return }
    var mean = mean ?? MeanImage(size: size)
    // While the sums change, no copy of them may exist.
    self.mean = nil
    defer { self.mean = mean }
    if mean.needsFrame() { mean.add(try frame()) }
  }

  /// Writes the file; a run that failed before its first frame does not change an existing one.
  /// - Parameter hasFailed: True if an error ended the run.
  /// - Throws: `image-write-failed` or another error of encoding, and the write error.
  func finish(hasFailed: Bool) throws(FoveaError) {
    guard map != nil || !hasFailed else { return }
    let bytes: [UInt8]
    do throws(ImageError) { bytes = try isImage ? png() : Array(json.utf8) } catch {
      throw FoveaError(error)
    }
    do throws(SystemError) {
      try file.write(bytes)
      try file.commit()
    } catch {
      throw .writingFailed(path, error, option: "heatmap")
    }
  }

  private func counts(_ object: DetectedObject) -> Bool {
    object.trackingID != nil && (labels.map { object.hasLabel(among: $0) } ?? true)
  }

  private func png() throws(ImageError) -> [UInt8] {
    let canvas = (mean ?? MeanImage(size: PixelSize(width: 1, height: 1))).canvas()
    if let map { canvas.paint(map) }
    return try canvas.encoded(as: .png)
  }

  private var json: String {
    JSONText.line(capacity: 64 + 8 * (map?.seconds.count ?? 0)) { json in
      json.member("cell", OccupancyMap.cell)
      json.member("width", map?.columns ?? 0)
      json.member("height", map?.rows ?? 0)
      json.member("seconds", map?.seconds ?? [])
    }
  }
}
