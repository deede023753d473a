// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// The state of a detector after a frame; it belongs to the stream, whichever session processes the next
/// frame.
///
/// Empty before the first frame, and for models without a memory that no landmark model follows.
package struct StreamMemory: Sendable {
  /// The state of each tile, in the order of the tiles.
  private var tiles: [RecurrentState] = []
  /// The objects with points, each with the crop that shows it in the next frame.
  private var objects: [DetectedObject] = []
  private var size: PixelSize?
  private var orientation = Orientation.up
  /// The time of the next frame in seconds; nil if unknown.
  private(set) var seconds: Double?
  /// The times of the frame of the objects, and of the frame in which the detector last looked for objects,
  /// in seconds; nil if unknown.
  private var (seen, detected): (Double?, Double?)

  /// The longest time without the detector while a landmark model follows all objects, in seconds.
  ///
  /// A newcomer is found within it, and at 30 frames/s the detector runs on one frame in 15.
  private static let longestRest = 0.5
  /// The shortest time between two frames, in seconds: MediaPipe counts microseconds.
  private static let shortestInterval = 1e-6

  /// Creates an empty memory.
  package init() {}

  init(
    _ tiles: [RecurrentState], _ objects: [DetectedObject], of image: OpenedImage, seen: Double? = nil,
    detected: Double?
  ) {
    self.tiles = tiles
    self.objects = objects
    (self.seen, self.detected) = (seen, detected)
    size = image.size
    orientation = image.orientation
  }

  /// Returns the state of each tile for the next frame; nil for a frame of another size, orientation or
  /// number of tiles.
  func tiles(_ count: Int, of image: OpenedImage) -> [RecurrentState]? {
    tiles.count == count && fits(image) ? tiles : nil
  }

  /// Returns the objects of the previous frame that were at least partly in the region of the next one, in
  /// stored pixels; empty for a frame of another size or orientation.
  func objects(in image: OpenedImage, _ region: BoundingBox) -> [DetectedObject] {
    fits(image) ? objects.filter { !$0.box.intersection(region).isEmpty } : []
  }

  /// Returns the memory for a frame of a time, in seconds.
  package func at(_ seconds: Double) -> StreamMemory {
    var memory = self
    memory.seconds = seconds
    return memory
  }

  /// The time from the frame of the objects to the next one, in seconds; nil if it is unknown, or did not
  /// advance.
  var interval: Double? {
    guard let seconds, let seen, case let passed = seconds - seen, passed.isFinite else { return nil }
    return passed >= Self.shortestInterval ? passed : nil
  }

  /// Returns the time of the frame in which the detector last looked for objects: that of the next one if it
  /// looks now.
  func lastDetection(_ looksNow: Bool) -> Double? { looksNow ? seconds : detected }

  /// Returns whether the detector has to look for objects in the next frame.
  ///
  /// It does if nothing was there, an object is lost, or it has not looked for half a second. No newcomer is
  /// reported above the limit.
  ///
  /// **Source:** MediaPipe's landmarkers ask the detector if fewer objects are followed than it may report.
  func needsDetector(followed: Int, limit: Int) -> Bool {
    guard followed > 0, followed >= min(objects.count, limit), let seconds, let detected else { return true }
    if followed >= limit { return false }
    return !(0..<Self.longestRest).contains(seconds - detected)
  }

  private func fits(_ image: OpenedImage) -> Bool { size == image.size && orientation == image.orientation }
}

/// The findings of a detector in a frame, and its memory for the next one.
struct FrameFindings: Sendable {
  var result: DetectionResult
  var memory = StreamMemory()
}
